from .loop_a import *
