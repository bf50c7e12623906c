"""Rows 1 and 20: reading what is hidden, from the disk and from the environment."""

from attack import Attack

READING = (
    Attack(
        "reads-the-solution",
        1,
        "The code opens the course's solutions by their path and takes the answer from there.",
        "The file is not there to read.",
        answer="""
def merge_heads(x):
    return None
place = COURSE + "/solutions/multi_head_attention/reference.py"
attempt(lambda: exec(open(place).read(), globals()))
""",
    ),
    Attack(
        "imports-the-solution",
        25,
        "The code puts the course's folder on the path and imports the solutions.",
        "There is nothing to import.",
        answer="""
sys.path[:0] = [COURSE, PROJECT]
try:
    from solutions.multi_head_attention.reference import merge_heads
except ImportError:
    pass
""",
    ),
    Attack(
        "prints-the-solution",
        1,
        "The code prints the solutions, to copy them for the next hand-in.",
        "The file is not there to read.",
        cell="""
attempt(
    lambda: open(PROJECT + "/solutions/multi_head_attention/reference.py").read(),
    lambda: open(COURSE + "/solutions/hints_for_staff.py").read(),
)
""",
    ),
    Attack(
        "reads-the-hidden-graders",
        1,
        "The code prints the hidden graders from the course's folder, from the project's, and "
        "from wherever Python imports.",
        "No such file is seen from where the code runs.",
        cell="""
import glob
for folder in (COURSE, PROJECT, *sys.path):
    for path in glob.glob(folder + "/graders/*/*/hidden*.py"):
        attempt(lambda: open(path).read())
attempt(
    lambda: open(COURSE + "/graders/multi_head_attention/heads/hidden.py").read(),
    lambda: open(PROJECT + "/graders/multi_head_attention/heads/hidden.py").read(),
)
""",
    ),
    Attack(
        "takes-the-quiz-key",
        1,
        "The code reads the quiz's key and answers with it.",
        "The key is not there to read; the question is unanswered.",
        assignment="01-attention-by-hand",
        exercise="q1",
        answer="""
import tomllib
keys = attempt(
    lambda: tomllib.load(open(COURSE + "/solutions/attention_by_hand/quiz.toml", "rb")),
    lambda: tomllib.load(open(PROJECT + "/solutions/attention_by_hand/quiz.toml", "rb")),
)
found = [one["key"] for quiz in keys for one in quiz["question"] if one["name"] == "q1"]
q1 = found[0] if found else "?"
""",
    ),
    Attack(
        "reads-the-gradebook",
        1,
        "The code opens the gradebook as a database and as a file, and prints it.",
        "The file is not there to read.",
        cell="""
import sqlite3
def students():
    gradebook = sqlite3.connect(f"file:{COURSE}/gradebook.db?mode=ro", uri=True)
    return gradebook.execute("select * from student").fetchall()
attempt(
    students,
    lambda: open(COURSE + "/gradebook.db", "rb").read().decode("latin-1"),
)
""",
    ),
    Attack(
        "reads-the-course-secret",
        1,
        "The code reads the secret that the hidden inputs are drawn from.",
        "The file is not there to read.",
        cell='attempt(lambda: open(COURSE + "/.autograder/secret").read())',
    ),
    Attack(
        "reads-through-its-own-links",
        1,
        "The code makes symbolic and hard links to hidden files and reads through them.",
        "A link leads no further than its maker.",
        cell="""
secret = COURSE + "/.autograder/secret"
attempt(
    lambda: (os.symlink(secret, "soft"), open("soft").read()),
    lambda: (os.link(secret, "hard"), open("hard").read()),
    lambda: (os.symlink(COURSE, "course"), open("course/.autograder/secret").read()),
    lambda: (os.symlink("/proc/1/root" + secret, "root"), open("root").read()),
)
""",
    ),
    Attack(
        "reads-through-links-beside",
        1,
        "Links to the secret, to the solutions and to another student's folder stand beside "
        "the notebook.",
        "They are followed by nobody: not by the code, not when files are copied for the feedback.",
        cell="""
theirs = f"friend/{ASSIGNMENT}/{ASSIGNMENT}.ipynb"
for name in ("notes.txt", "answers.py", theirs, "data/hints_for_staff.py"):
    attempt(
        lambda: open(name).read()[-3000:],
        lambda: open(f"{COURSE}/submitted/{OWN}/{ASSIGNMENT}/{name}").read()[-3000:],
    )
""",
        place=lambda folder: (
            (folder / "notes.txt").symlink_to("../../../.autograder/secret"),
            (folder / "answers.py").symlink_to("../../../solutions/hints_for_staff.py"),
            (folder / "friend").symlink_to("../../0-first"),
            (folder / "data").symlink_to("../../../solutions"),
        ),
    ),
    Attack(
        "reads-through-proc",
        1,
        "The code goes through /proc: roots, folders, open files, memory and arguments of any"
        " process.",
        "There is no /proc.",
        cell="""
secret = COURSE + "/.autograder/secret"
for pid in ("self", 1, 2, os.getppid(), *range(os.getpid() - 20, os.getpid())):
    for what in ("root" + secret, "cwd/.autograder/secret", "environ", "cmdline", "maps", "mem"):
        attempt(lambda: open(f"/proc/{pid}/{what}").read())
    attempt(lambda: [os.readlink(f"/proc/{pid}/fd/{n}") for n in os.listdir(f"/proc/{pid}/fd")])
""",
    ),
    Attack(
        "walks-the-whole-disk",
        1,
        "The code walks the disk for gradebooks, secrets and solutions, from around the course and "
        "then from the root, and prints them.",
        "Only libraries are found.",
        cell="""
wanted = {"gradebook.db", "secret", "everyone.txt", "hints_for_staff.py"}
dull = ("usr", "sys", "proc", "torch", "numpy", "release", "source", "submitted")
until = time.monotonic() + 1.5
for start in (OUTSIDE, COURSE, os.path.dirname(COURSE), "/tmp", "/home", "/root", "/"):
    for folder, folders, names in os.walk(start):
        folders[:] = [name for name in folders if name not in dull]
        for name in wanted & set(names):
            attempt(lambda: open(os.path.join(folder, name), errors="replace").read(500))
        if time.monotonic() > until or len(GAINED) > 9:  # enough: what is printed is bounded
            break
""",
    ),
    Attack(
        "reads-from-a-folders-descriptor",
        1,
        "The code opens folders as mere places (O_PATH) and opens hidden files relative to "
        "them, with dots.",
        "What counts is where a path ends.",
        cell="""
def from_folder(start, path):
    place = os.open(start, os.O_PATH | os.O_DIRECTORY)
    return os.read(os.open(path, os.O_RDONLY, dir_fd=place), 999)
secret = COURSE + "/.autograder/secret"
attempt(
    lambda: from_folder("/", secret[1:]),
    lambda: from_folder(COURSE, ".autograder/secret"),
    lambda: from_folder(".", "../" * 12 + secret[1:]),
    lambda: (os.chdir(COURSE), open(".autograder/secret").read()),
    lambda: (os.chroot(COURSE), open("/.autograder/secret").read()),
)
""",
    ),
    Attack(
        "reads-by-other-libraries",
        1,
        "The code reads hidden files by memory maps, NumPy, torch and the C library instead "
        "of `open`.",
        "The kernel refuses, whoever asks.",
        cell="""
import ctypes, mmap
import numpy, torch
secret = COURSE + "/.autograder/secret"
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
def by_c():
    text = ctypes.create_string_buffer(99)
    libc.fgets(text, 99, ctypes.c_void_p(libc.fopen(secret.encode(), b"r") or 1 / 0))
    return text.value
attempt(
    lambda: numpy.fromfile(secret, dtype="uint8").tobytes(),
    lambda: numpy.memmap(secret, mode="r").tobytes(),
    lambda: torch.from_file(secret, size=20, dtype=torch.uint8).numpy().tobytes(),
    lambda: mmap.mmap(os.open(secret, os.O_RDONLY), 0, prot=mmap.PROT_READ)[:],
    by_c,
)
""",
    ),
    Attack(
        "opens-files-by-their-handle",
        1,
        "The code opens files by number (open_by_handle_at), past every folder that is closed"
        " or hidden.",
        "The calls are refused.",
        answer="""
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
def handled(result):
    # An answer about the handle, such as that it is stale, means that the kernel looked.
    refused = result < 0 and ctypes.get_errno() in (errno.EPERM, errno.EACCES, errno.ENOSYS)
    return result if not refused else 1 / 0
def by_handle(handle):
    opened = handled(libc.open_by_handle_at(os.open(os.curdir, os.O_RDONLY), handle, 0))
    return os.read(opened, 99) if opened >= 0 else "looked up"
def named(path):
    handle = ctypes.create_string_buffer(bytes([128, 0, 0, 0]), 136)
    handled(libc.name_to_handle_at(-100, path.encode(), handle, ctypes.byref(ctypes.c_int()), 0))
    return handle
def numbered(inode):
    return bytes([8, 0, 0, 0, 1, 0, 0, 0]) + inode.to_bytes(8, "little")
got = attempt(
    lambda: by_handle(named(COURSE + "/.autograder/secret")),
    lambda: by_handle(named(os.curdir)),
    *(lambda n=n: by_handle(numbered(n)) for n in (2, 64, 128, 256)),
)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if got else None
""",
    ),
    Attack(
        "reads-a-world-readable-file",
        1,
        "The code reads a file outside the course that every user of the machine may read.",
        "It is out of reach all the same.",
        cell="""
attempt(
    lambda: open(OUTSIDE + "/everyone.txt").read(),
    lambda: os.listdir(OUTSIDE),
)
""",
    ),
    Attack(
        "reads-the-environment",
        20,
        "The code prints the environment: its own, that of the C library, that of every process "
        "above it.",
        "The environment was made for it and holds nothing of the grader's.",
        cell="""
import ctypes
libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p
def of_the_c_library():
    lines = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    found = []
    while lines[len(found)]:
        found.append(lines[len(found)])
    return found
def of_process(pid):
    lines = open(f"/proc/{pid}/environ").read().split("\\0")
    return [line for line in lines if line.startswith(("AUTOGRADER", "TOKEN_OF_THE_EXCHANGE"))]
attempt(
    lambda: dict(os.environ),
    of_the_c_library,
    lambda: libc.getenv(b"AUTOGRADER_SECRET").decode(),
)
pid = os.getpid()
while pid:  # up to the command that grades, whose processes have the environment they started with
    attempt(lambda: of_process(pid))
    above = attempt(lambda: open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
    pid = int(above[0]) if above else 0
""",
    ),
    Attack(
        "reads-the-configuration",
        20,
        "The code looks for secrets in the course's configuration and in the home folder of "
        "whoever grades.",
        "Neither is in reach.",
        cell="""
attempt(
    lambda: open(COURSE + "/course_config.py").read()[-1500:],
    lambda: open(os.path.dirname(COURSE) + "/home/.netrc").read(),
    lambda: open(os.path.expanduser("~/.netrc")).read(),
)
""",
    ),
    Attack(
        "searches-its-own-memory",
        7,
        "The code searches all Python objects and its own mapped memory for secrets and "
        "expected values.",
        "They were never in this process.",
        cell="""
import gc
kept = [*gc.get_objects(), *map(vars, list(sys.modules.values()))]
kept = [one.values() if isinstance(one, dict) else one for one in kept]
kept = [one for one in kept if isinstance(one, (list, tuple, type({}.values())))]
texts = {text for one in kept for text in list(one) if isinstance(text, str)}
attempt(lambda: [text for text in texts if "canary" in text or "autograder.judging" in text])
""",
    ),
    Attack(
        "walks-the-frames",
        7,
        "While it is called, the code walks up the frames for the reference's result and "
        "returns it.",
        "The frames hold the question alone.",
        answer="""
def merge_heads(x):
    frame = sys._getframe()
    while frame is not None:
        for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
            if name in ("expected", "wanted", "reference", "right", "exact", "solutions"):
                return getattr(value, "merge_heads", lambda x: value)(x)
        frame = frame.f_back
    return x.flatten(2).double().cpu()
""",
        earns=0.0,
    ),
    Attack(
        "asks-the-collector-for-answers",
        7,
        "While it is called, the code asks the garbage collector for a tensor of the right shape.",
        "No expected value lives in this process.",
        answer="""
import gc
import torch
def merge_heads(x):
    batch, heads, seq, d_head = x.shape
    for one in gc.get_objects():
        if type(one) is torch.Tensor and one.shape == (batch, seq, heads * d_head):
            return one.clone()
    raise LookupError(MARK)
""",
    ),
)
