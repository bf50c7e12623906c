"""Why a mark is as it is, for whoever disputes it: what failed runs again, and is shown."""
