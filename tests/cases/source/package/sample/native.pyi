from typing import overload

class Handle:  # def: sample.native.Handle class
    number: int  # def: sample.native.Handle.number attribute
    def __init__(self, number: int) -> None: ...
    def close(self) -> None: ...  # def: sample.native.Handle.close method

@overload
def make(number: int) -> Handle: ...  # def: sample.native.make function
@overload
def make(number: str) -> Handle: ...
