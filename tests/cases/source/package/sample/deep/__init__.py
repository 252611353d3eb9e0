from . import records
from .records import Point
from .records import *
