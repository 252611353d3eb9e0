import collections
import dataclasses
import enum
from typing import NamedTuple


@dataclasses.dataclass
class Record:  # def: sample.deep.records.Record class
    key: str  # def: sample.deep.records.Record.key attribute
    value: int = 0  # def: sample.deep.records.Record.value attribute


@dataclasses.dataclass
class Checked:  # def: sample.deep.records.Checked class
    key: str

    def __post_init__(self):
        self.key = self.key.strip()  # stop: sample.deep.records.Checked


class Point(NamedTuple):  # def: sample.deep.records.Point class
    x: int  # def: sample.deep.records.Point.x attribute


Pair = collections.namedtuple("Pair", ["left", "right"])  # def: sample.deep.records.Pair class
Triple = NamedTuple(  # def: sample.deep.records.Triple class
    "Triple",
    [
        ("a", int),  # def: sample.deep.records.Triple.a attribute
        ("b", int),
    ],
)


class Colour(enum.Enum):  # def: sample.deep.records.Colour class
    RED = 1  # def: sample.deep.records.Colour.RED attribute
