"""A compiled module: how finely samples are kept."""

class Level: ...

fine16: Level
coarse8: Level
