"""Where things are inside bubblewrap, and the devices that hold nothing."""

# A child's private directory, and the fork server's home, which each child covers. No machine has
# folders of these names, so that they hide nothing of what is shown.
SCRATCH, SHARED_HOME = "/sandbox/scratch", "/sandbox/home"
LIBRARY = "/sandbox/library"  # links to the packages, and to what we run

HARMLESS_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
