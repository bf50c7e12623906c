class RepairedAttention(SelfAttention):
    """Keeps every promise of SelfAttention, because it is one."""
