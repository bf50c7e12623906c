"""Which layers of the sandbox work on this machine, each tried; and how to get the others."""
