"""How large an explanation graph may be: numbers of factors, paths, nodes and of what is written of them have
31 bits."""

LARGEST = 0x7FFFFF00


def require_room(count: int, what: str) -> None:
    """What the arrays of a graph number must fit their integers."""
    if count > LARGEST:
        raise MemoryError(f"the explanation graph has more than {LARGEST} {what}")
