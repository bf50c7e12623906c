"""In a container whose kernel has no Landlock: what can be seen there, and that nothing is left."""

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.parametrize("sandbox", ["container without Landlock"], indirect=True),
]

LISTING = """
import os
def everything():
    found = []
    for folder, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in SKIPPED]
        found += [os.path.join(folder, name) for name in files]
    return found
SKIPPED = {"/proc", "/sys"}
"""


def test_the_image_holds_nothing_of_this_project_but_the_fork_server(tried):
    setup = LISTING + "found = everything()\n"
    assert int(tried("len(found)", setup)) > 1000
    server = ("/sandbox/library/autograder/sandbox/inside/",)
    server += (
        "/sandbox/library/autograder/tensors/inside/",
        "/sandbox/library/autograder/checks/kit/",
    )
    ours = eval(tried("[p for p in found if 'autograder' in p]", setup))
    assert ours
    assert [path for path in ours if not path.startswith(server)] == []
    of_a_course = "{'nbgrader', 'solutions', 'graders', 'course_config.py'}"
    assert tried(f"[p for p in found if {of_a_course} & set(p.split('/'))]", setup) == "[]"


def test_no_place_can_be_written_but_one_that_is_swept(connection):
    source = (
        LISTING + "made = []\n"
        "def try_to_make(path):\n"
        "    try:\n"
        "        open(path, 'w').write('LEFT')\n"
        "        made.append(path)\n"
        "    except OSError: pass\n"
        "for folder, folders, files in os.walk('/'):\n"
        "    if folder.startswith(('/sys', '/proc/')): folders[:] = []; continue\n"
        "    try_to_make(folder + '/mark')\n"
        "for path in files: try_to_make(os.path.join(folder, path))\n"
    )
    first = connection.start_worker({"a/b.txt": b"x"})
    assert first.run_cell(source).error is None
    made = first.value("made")
    assert made
    assert [path for path in made if not path.startswith("/sandbox/work/")] == []
    first.close()
    second = connection.start_worker()
    second.run_cell("import os\nleft = [p for p in " + repr(made) + " if os.path.exists(p)]")
    assert second.value("left") == []
    work = "[os.path.join(f, n) for f, _, names in os.walk('/sandbox/work') for n in names]"
    second.run_cell(f"files = {work}\nqueues = os.listdir('/dev/mqueue')")
    assert second.value("files") == second.value("queues") == []
    second.close()


def test_neither_the_gateway_nor_the_fork_server_can_be_looked_into(tried):
    setup = (
        "seen = []\n"
        "for pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "    for name in ('environ', 'mem', 'maps', 'fd/0', 'fd/1', 'root', 'cwd', 'map_files'):\n"
        "        if int(pid) == os.getpid(): continue\n"
        "        path = f'/proc/{pid}/{name}'\n"
        "        for way in (os.listdir, os.readlink, lambda p: open(p, 'rb').read(1),\n"
        "                    lambda p: os.open(p, os.O_WRONLY)):\n"
        "            try: way(path); seen.append(path)\n"
        "            except OSError: pass\n"
        "pids = [p for p in os.listdir('/proc') if p.isdigit()]\n"
    )
    assert tried("seen", setup) == "[]"
    assert tried("len(pids)", setup) == "3"  # the gateway, the fork server, and itself


def test_a_folder_deeper_than_can_be_removed_at_once_is_refused(connection):
    from autograder.checks.kit.errors import StudentDied

    with pytest.raises(StudentDied, match="folders"):
        connection.start_worker({"d/" * 1500 + "file": b""})
    connection.start_worker({"d/" * 20 + "file": b""}).close()
    connection.start_worker().close()
