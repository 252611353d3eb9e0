from .loop_b import *
from .loop_b import circular

in_a = 1  # def: sample.loops.loop_a.in_a attribute
