from . import inner
from .._made import Made, make as built
from .inner import deep as deep

def unreal() -> int: ...
