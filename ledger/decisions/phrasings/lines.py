"""Reading a block of text as one phrasing a line."""


def lines(block: str) -> tuple[str, ...]:
    """Return the lines of `block` without indent; empty lines are left out."""
    return tuple(line.strip() for line in block.splitlines() if line.strip())
