"""What can go wrong with the sandbox itself, as against with a student's code."""


class SandboxUnavailable(Exception):
    """No sandbox that the policy allows works on this machine; the text says why and what to do."""


class SandboxLost(Exception):
    """The fork server is gone; close the sandbox and start it again."""
