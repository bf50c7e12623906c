"""The one room of the engine that uses torch: what courses have that require it.

The rooms below know values through small classes of their own (`checks.kit.values`,
`sandbox.inside.serve`, `judging.library`), which NumPy's arrays are enough for; here stand the
classes that know tensors, too. A room finds its own by name once torch has been imported
(`checks.kit.libraries`). What students carry of this stands in the kit: see `checks.kit.values`.
"""
