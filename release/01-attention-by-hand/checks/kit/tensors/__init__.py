"""Tensors and modules, for a course that requires torch; importing this has them known."""

from ..values import know
from .values import TensorValues

know(TensorValues())
