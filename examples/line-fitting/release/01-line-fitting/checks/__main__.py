"""Lets `python -m checks` work; and `python release/NAME/checks`, from wherever that folder is."""

import importlib
import sys
from pathlib import Path

if __package__:
    from .kit.terminal import main
else:
    here = Path(__file__).resolve().parent
    sys.path[0] = str(here.parent)
    main = importlib.import_module(f"{here.name}.kit.terminal").main

if __name__ == "__main__":
    sys.exit(main())
