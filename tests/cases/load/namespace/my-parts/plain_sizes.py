OUT = 2
