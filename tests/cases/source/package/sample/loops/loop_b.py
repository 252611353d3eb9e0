from .loop_a import *
from .loop_a import circular

in_b = 2  # def: sample.loops.loop_b.in_b attribute


class Loop(Loop):  # def: sample.loops.loop_b.Loop class
    pass
