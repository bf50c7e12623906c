"""Where things are inside bubblewrap and in a container, and the devices that hold nothing."""

# A child's private directory, and the fork server's home, which each child covers. No machine has
# folders of these names, so that they hide nothing of what is shown.
SCRATCH, SHARED_HOME = "/sandbox/scratch", "/sandbox/home"
LIBRARY = "/sandbox/library"  # the packages, and what we run; inside bubblewrap, links to them
WORK = "/sandbox/work"  # of a container: the one place to write, which holds the two above there

HARMLESS_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")

# What NVIDIA's driver reads before it opens a device: its own settings, and the machine's layout.
DRIVER_FILES = (
    "/proc/driver/nvidia",
    "/proc/driver/nvidia-uvm",
    "/proc/devices",
    "/proc/modules",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/sys/vm/mmap_min_addr",
    "/sys/devices/system/cpu",
    "/sys/devices/system/memory/block_size_bytes",
    "/sys/devices/system/node",
    "/sys/module/nvidia/initstate",
    "/sys/module/nvidia_uvm/initstate",
)
