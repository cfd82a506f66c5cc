"""Where a reply may be sent: the form of a web address, and which network addresses count as public.

A destination is typed in by a person, and requests to it leave from inside the organisation's network. So only public
addresses are reached, and others where an operator has named host and port (the setting PRIVATE_DESTINATIONS).
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

LONGEST_URL = 2000
LONGEST_NAME = 253
LOWEST_FREE_PORT = 1024
DEFAULT_PORTS = {"http": 80, "https": 443}
NAME = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
LOCAL_NAMES = frozenset({"localhost", "local", "internal", "lan", "home", "arpa"})
"""Last labels of names that only mean something inside a network."""
INTERNET_V6 = IPv6Network("2000::/3")
TUNNELS = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))
"""6to4 and Teredo: the address of another machine is inside, and an old gateway may forward to it."""
NAT64 = IPv6Network("64:ff9b::/96")
METADATA = frozenset({IPv4Address("168.63.129.16")})
"""Addresses that look public and are answered by the host of a virtual machine."""


class BadDestination(Exception):
    """Nothing may be sent to this address; the message says why, and what would help."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Target:
    """A web address, taken apart; `path` includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Return host and port as PRIVATE_DESTINATIONS names them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def host_header(self) -> str:
        """Return what the Host header says: the port only where it is not the scheme's own."""
        suffix = f":{self.port}"
        return self.authority.removesuffix(suffix) if DEFAULT_PORTS[self.scheme] == self.port else self.authority


def checked_url(url: str, *, private: Collection[str]) -> Target:
    """Take a destination's address apart. Raises BadDestination for one that could lead to somewhere it should not.

    `private` holds `host:port` of the destinations that an operator allows within the own network. What a name stands
    for is not looked up here; `refuse_private` judges that before every request.
    """
    parts = _split(url)
    host = parts.hostname or ""
    literal = _literal(host)
    if literal is None and not _is_name(host):
        raise BadDestination(f"{host!r} is neither the name of a host nor an ordinary IP address.")
    port = DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    target = Target(parts.scheme, host, port, path)
    if target.authority not in private:
        _refuse_inside(target, literal)
    return target


def refuse_private(target: Target, addresses: Collection[str], *, private: Collection[str]) -> None:
    """Raise BadDestination unless every address that the target's name stands for is public or it is allowed."""
    if target.authority not in private and not all(is_public(address) for address in addresses):
        raise BadDestination(_not_public(target))


def is_public(address: str) -> bool:
    """Say whether an IP address belongs to the internet at large: no own network, no tunnel into one, no group."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        embedded = found.ipv4_mapped or (IPv4Address(int(found) & 0xFFFFFFFF) if found in NAT64 else None)
        if embedded is None:
            inside = found not in INTERNET_V6 or any(found in tunnel for tunnel in TUNNELS)
            return found.is_global and not found.is_multicast and not inside
        found = embedded
    return found.is_global and not found.is_multicast and found not in METADATA


def _split(url: str) -> SplitResult:
    if not re.fullmatch(r"[!-~]+", url) or "\\" in url or len(url) > LONGEST_URL:
        raise BadDestination("Write the address in ASCII, without blanks; a name in another script in its xn-- form.")
    try:
        parts = urlsplit(url)
        unreadable = parts.port == 0
    except ValueError:
        unreadable = True
    if unreadable:
        raise BadDestination("The address cannot be read; write it like https://helpdesk.example/replies.")
    if parts.scheme not in DEFAULT_PORTS:
        raise BadDestination("The address must begin with https:// or http://.")
    if "@" in parts.netloc:
        raise BadDestination("Leave user name and password out of the address: requests are signed.")
    if "#" in url:
        raise BadDestination("Leave out what follows the #: it is never sent.")
    return parts


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(host)
    except ValueError:
        return None
    return None if "%" in host else found


def _is_name(host: str) -> bool:
    # A name that ends in a number is read as an IPv4 address by resolvers: 127.1, 0x7f.1, 2130706433.
    last = host.rpartition(".")[2]
    return len(host) <= LONGEST_NAME and bool(NAME.fullmatch(host)) and not NUMBER.fullmatch(last)


def _refuse_inside(target: Target, literal: IPv4Address | IPv6Address | None) -> None:
    last = target.host.rpartition(".")[2]
    is_local = "." not in target.host or last in LOCAL_NAMES
    if (literal is None and is_local) or (literal is not None and not is_public(target.host)):
        raise BadDestination(_not_public(target))
    if target.port < LOWEST_FREE_PORT and target.port not in DEFAULT_PORTS.values():
        raise BadDestination(
            f"Port {target.port} belongs to another service than the web. If it is meant, an operator names"
            f" {target.authority} in PRIVATE_DESTINATIONS."
        )


def _not_public(target: Target) -> str:
    return (
        f"{target.host} is not on the public internet. If it is meant, an operator names {target.authority} in"
        " PRIVATE_DESTINATIONS."
    )
