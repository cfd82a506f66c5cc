"""Where a reply may be sent, judged before anything is connected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.addresses import BadDestination, Target, checked_url, is_public, refuse_private


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://desk.example/hooks", Target("https", "desk.example", 443, "/hooks")),
        ("https://DESK.example", Target("https", "desk.example", 443, "/")),
        ("http://desk.example:8080/a/b?c=d&e", Target("http", "desk.example", 8080, "/a/b?c=d&e")),
        ("https://desk.example:80/", Target("https", "desk.example", 80, "/")),
        ("https://93.184.215.14/in", Target("https", "93.184.215.14", 443, "/in")),
        ("https://[2606:2800:21f::1]/in", Target("https", "2606:2800:21f::1", 443, "/in")),
        ("https://xn--bcher-kva.example/", Target("https", "xn--bcher-kva.example", 443, "/")),
        ("https://a_b.example?x", Target("https", "a_b.example", 443, "/?x")),
    ],
)
def test_a_web_address_is_taken_apart(url, expected):
    assert checked_url(url, private=()) == expected


@pytest.mark.parametrize(
    ("url", "host_header", "authority"),
    [
        ("https://desk.example/", "desk.example", "desk.example:443"),
        ("https://desk.example:8443/", "desk.example:8443", "desk.example:8443"),
        ("http://[2606:2800:21f::1]/", "[2606:2800:21f::1]", "[2606:2800:21f::1]:80"),
    ],
)
def test_the_host_header_names_a_port_where_it_is_not_the_schemes_own(url, host_header, authority):
    target = checked_url(url, private=())

    assert (target.host_header, target.authority) == (host_header, authority)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "desk.example",
        "//desk.example/",
        "ftp://desk.example/",
        "file:///etc/passwd",
        "gopher://desk.example/",
        "javascript:alert(1)",
        "https://",
        "https:///hooks",
        "https://user@desk.example/",
        "https://user:word@desk.example/",
        "https://@desk.example/",
        "https://desk.example/#part",
        "https://desk.example/a b",
        "https://desk.example\\@other.example/",
        "https://desk.example/\r\nX-Injected: 1",
        "https://desk\t.example/",
        "https://bücher.example/",
        "https://desk．example/",
        "https://desk..example/",
        "https://-desk.example/",
        "https://desk.example./",
        "https://desk.example:0/",
        "https://desk.example:99999/",
        "https://desk.example:ab/",
        "https://[::1/",
        "https://[fe80::1%25eth0]/",
        f"https://{'a' * 64}.example/",
        f"https://desk.example/{'a' * 2000}",
    ],
)
def test_what_is_no_plain_web_address_is_refused(url):
    with pytest.raises(BadDestination):
        checked_url(url, private=())


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "desk.localhost",
        "intranet",
        "printer.local",
        "metadata.google.internal",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "1.2.3.04",
        "10.0.0.5",
        "172.16.9.1",
        "192.168.1.1",
        "100.64.0.1",
        "100.100.100.200",
        "169.254.169.254",
        "168.63.129.16",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[ff02::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "[::7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::1]",
        "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    ],
)
def test_hosts_of_the_own_network_are_refused_in_every_spelling(host):
    with pytest.raises(BadDestination):
        checked_url(f"http://{host}/", private=())


@pytest.mark.parametrize("port", [22, 25, 81, 1023])
def test_ports_of_other_services_are_refused(port):
    with pytest.raises(BadDestination, match=str(port)):
        checked_url(f"http://desk.example:{port}/", private=())


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("http://127.0.0.1:9000/in", "127.0.0.1:9000"),
        ("http://localhost/in", "localhost:80"),
        ("http://[::1]:9000/in", "[::1]:9000"),
        ("http://desk.example:25/", "desk.example:25"),
    ],
)
def test_an_operator_can_allow_one_host_and_port(url, private):
    target = checked_url(url, private=[private])

    refuse_private(target, ["127.0.0.1"], private=[private])
    with pytest.raises(BadDestination, match="PRIVATE_DESTINATIONS"):
        checked_url(url, private=[f"{private}1"])


def test_one_private_address_among_public_ones_is_enough_to_refuse_a_name():
    target = checked_url("https://desk.example/", private=())

    refuse_private(target, ["93.184.215.14", "2606:2800:21f::1"], private=())
    with pytest.raises(BadDestination, match=r"desk\.example:443"):
        refuse_private(target, ["93.184.215.14", "10.0.0.1"], private=())


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f::1", "::ffff:93.184.215.14", "64:ff9b::5db8:d70e"])
def test_addresses_of_the_internet_are_public(address):
    assert is_public(address)


@given(st.text(max_size=60))
def test_any_text_is_taken_apart_or_refused(text):
    try:
        target = checked_url(f"https://{text}", private=())
    except BadDestination:
        return

    assert target.host in text.lower()
