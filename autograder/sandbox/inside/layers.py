"""The layers that hold a student's process, by name, and which of them each mode has.

A mode is a set of layers. No setting and no option of a command takes a layer out of one; only the
ablation in `benchmarks/` starts other sets, to see what each layer stops alone.
"""

USER = "user"  # for root another user; no capabilities
NAMESPACES = "namespaces"  # bubblewrap, and namespaces of each child's own
LANDLOCK = "landlock"  # which files may be opened
SECCOMP = "seccomp"  # which system calls may be made
LIMITS = "limits"  # rlimits: memory, threads, file sizes, descriptors, processor time
CLOSED = "closed"  # shut to processes of the same user: memory, /proc, the process group

ALL = frozenset({USER, NAMESPACES, LANDLOCK, SECCOMP, LIMITS, CLOSED})
LAYERS_OF = {"full": ALL, "fallback": ALL - {NAMESPACES}, "none": frozenset({LIMITS})}
