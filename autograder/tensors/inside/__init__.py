"""What the sandbox runs inside where students have torch, beside `autograder.sandbox.inside`.

Importing it lets tensors cross the boundary. The sandbox's other end imports it for that, too.
"""

from autograder.checks.kit import tensors as _known  # noqa: F401
from autograder.sandbox.inside import decoding, encoding, forms

from .crossing import READERS, TORCH_DTYPES, encode

encoding.ENCODERS.append(encode)
decoding.READERS.update(READERS)
forms.ITEM_BYTES.update({name: dtype.itemsize for name, dtype in TORCH_DTYPES.items()})
