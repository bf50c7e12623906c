"""The course's families of mistakes: each is said once, and applied to exercises."""
