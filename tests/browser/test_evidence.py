"""The readable evidence document in a real browser: inert whatever is in it, readable on any screen and on paper."""

from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from tests import evidence_help as packs
from tests.browser.conftest import CHROMIUM, FLAGS, PHONE, WIDE
from tests.web.test_hostile_text import CORPUS

ESCAPES = (
    "</bdi></template></style></title><script>document.title='run'</script>",
    "<img src=http://127.0.0.1:9/x onerror=document.title='run'>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
    "<link rel=stylesheet href=http://127.0.0.1:9/x.css>",
    "<form action=http://127.0.0.1:9/><input autofocus onfocus=document.title='run'>",
    '\\"; } body { background: url(http://127.0.0.1:9/x) } @import "http://127.0.0.1:9/y"; a { content: "',
    "--><script>document.title='run'</script><!--",
)


@contextmanager
def shown(file, **options):
    """Open a file from the disk; the block fails on any request but for that file, and on anything in the console."""
    asked, told = [], []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        page = chromium.new_context(**options).new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: told.append(message.text))
        page.on("dialog", lambda dialog: told.append(dialog.message))
        page.goto(file.as_uri())
        yield page
        chromium.close()
    assert asked == [file.as_uri()]
    assert told == []


def documented(folder, text, **changes):
    file = folder / "evidence.html"
    given = packs.everything(text)
    file.write_bytes(packs.documented(packs.replace(given, **changes)))
    return file


def test_no_hostile_text_runs_or_asks_for_anything(tmp_path):
    for text in ("\n".join(CORPUS), "\n".join(ESCAPES), "\n".join(reversed(ESCAPES))):
        file = documented(tmp_path, text, customer_id=text, channel=text)

        with shown(file, viewport=WIDE) as page:
            assert page.title().startswith("Evidence pack: conversation ")
            assert page.locator("script, img, link, form, iframe, object, base").count() == 0
            assert page.locator("main > section").count() == 7


def test_a_hostile_name_of_the_conversation_reaches_neither_title_nor_style(tmp_path):
    text = "".join(ESCAPES)
    rows = packs.chained({}, name=text)
    head = packs.Head(1, rows[0].entry_hash)
    file = documented(tmp_path, "x", conversation_id=text, entries=rows, head=head, checkpoints=())

    with shown(file, viewport=WIDE) as page:
        assert page.title() != "run"
        assert page.evaluate("getComputedStyle(document.body).backgroundImage") == "none"
        assert page.evaluate("getComputedStyle(document.body).maxWidth") != "none"  # the style itself is let in


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_it_is_readable_on_any_screen(tmp_path, scheme, viewport):
    file = documented(tmp_path, "How long can I return the lamp? " * 20)

    with shown(file, viewport=viewport, color_scheme=scheme) as page:
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_it_prints_to_pages_of_a4(tmp_path):
    file = documented(tmp_path, "How long can I return the lamp? " * 20)

    with shown(file, viewport=WIDE) as page:
        printed = page.pdf(prefer_css_page_size=True)

    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") > 1
    assert b"/MediaBox [0 0 594" in printed or b"/MediaBox [0 0 595" in printed
