"""A Python class over a compiled one."""

from .native import Handle


class File(Handle):  # def: sample.wrapping.File class
    path: str  # def: sample.wrapping.File.path attribute

    def __init__(self, path):  # def: sample.wrapping.File.__init__ method
        self.opened = True  # stop: sample.wrapping.File.__init__ sample.wrapping.File
        super().__init__(1)

    def close(self):  # def: sample.wrapping.File.close method
        self.opened = False
        super().close()
