"""Attacks on the machine's files: reading what is hidden, changing what counts."""

from benchmarks.ablation.outcome import Outcome, through
from benchmarks.ablation.stage import CANARY, Act, pid_of

from .catalogue import attack

READING, WRITING = "Reading", "Writing"
IN_EVERY_PROC = """
def holds(path, pid):
    return CANARY in open(path.format(pid)).read()
answer = any(first([lambda: holds(PATH, pid)]) for pid in [*pids(), 'self'])
"""


@attack(READING)
def hidden_file(act: Act) -> Outcome:
    """a hidden file that every user may read."""
    return through(act.attack("answer = open(PATH).read()", PATH=str(act.stage.hidden)))


@attack(READING)
def private_file(act: Act) -> Outcome:
    """a hidden file of the grader's own (mode 600)."""
    return through(act.attack("answer = open(PATH).read()", PATH=str(act.stage.private)))


@attack(READING)
def through_proc(act: Act) -> Outcome:
    """that file through /proc/PID/root of any process."""
    path = "/proc/{}/root" + str(act.stage.hidden)
    return through(act.attack(IN_EVERY_PROC, PATH=path, CANARY=CANARY))


@attack(READING)
def size_of_a_file(act: Act) -> Outcome:
    """the size and date of a hidden file (stat)."""
    return through(act.attack("answer = os.stat(PATH).st_size", PATH=str(act.stage.hidden)))


@attack(READING)
def names(act: Act) -> Outcome:
    """the names in the course's folder."""
    return through(act.attack("answer = os.listdir(PATH)", PATH=str(act.stage.folder)))


@attack(READING)
def environment(act: Act) -> Outcome:
    """a secret in the environment of the grader's processes."""
    return through(act.attack(IN_EVERY_PROC, PATH="/proc/{}/environ", CANARY=CANARY))


@attack(READING)
def files_of_another(act: Act) -> Outcome:
    """the files of a submission that runs at the same time."""
    victim = act.victim("answer = os.getcwd()")
    source = """
places = [WHERE, f'/proc/{PID}/cwd', *(f'/proc/{pid}/cwd' for pid in pids())]
answer = first([lambda place=place: open(f'{place}/answers.txt').read() for place in places])
"""
    return through(act.attack(source, WHERE=victim.value("answer"), PID=pid_of(victim)))


@attack(WRITING)
def new_file(act: Act) -> Outcome:
    """a new file in a folder that is open to all."""
    act.attack("open(PATH, 'w').write('x')", PATH=str(act.stage.open / "new"))
    return through(list(act.stage.open.iterdir()))


@attack(WRITING)
def overwrite(act: Act) -> Outcome:
    """over the gradebook, a file of the grader's own."""
    act.attack("open(PATH, 'w').write('full marks')", PATH=str(act.stage.gradebook))
    return through(act.stage.gradebook.read_text() != "marks")


@attack(WRITING)
def change_mode(act: Act) -> Outcome:
    """the mode of the gradebook (chmod)."""
    act.attack("os.chmod(PATH, 0o666)", PATH=str(act.stage.gradebook))
    return through(act.stage.gradebook.stat().st_mode & 0o777 != 0o644)
