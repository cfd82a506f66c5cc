"""Which network addresses the host of a destination has."""

import socket
from collections.abc import Collection

from drafts.decisions.addresses import Target, refuse_private

MOST_ADDRESSES = 4


def addresses_of(target: Target, *, private: Collection[str]) -> tuple[str, ...]:
    """Look the host up, once, and return the addresses to try in turn.

    Whoever connects uses these: a second look-up might answer with others, which nobody has judged. Raises
    BadDestination when one of them is not public, OSError when the name is not known.
    """
    found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    addresses = tuple(dict.fromkeys(str(place[0]) for *_, place in found))
    refuse_private(target, addresses, private=private)
    return addresses[:MOST_ADDRESSES]
