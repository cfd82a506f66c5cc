"""How the readable document looks: on paper first, on a phone and in the dark too. It asks for no file and no font."""

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --quiet: #57606a; --line: #d0d7de; --paper: #fff; --said: #f6f8fa;
  --edge: #0b57d0; --chip: #fff3c4; --chip-ink: #5b4300; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --quiet: #9ba7b4; --line: #3d444d; --paper: #0f1419;
  --said: #1a2129; --edge: #7cb0ff; --chip: #4a3b00; --chip-ink: #ffe08a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 50rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0 0 .35rem; }
h4 { font-size: 1rem; margin: .75rem 0 .25rem; }
p { margin: .35rem 0; }
a { color: var(--edge); }
article, .thread > li { border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; margin: 0 0 .9rem; }
article article { border-style: dashed; margin-top: .75rem; }
.thread { list-style: none; margin: 0; padding: 0; }
blockquote { margin: .5rem 0; padding: .5rem .8rem; background: var(--said); border-left: 4px solid var(--edge); }
.letter { white-space: pre-wrap; }
.source { border-top: 1px solid var(--line); margin-top: .75rem; }
.quiet, caption, dt { color: var(--quiet); }
.chip { background: var(--chip); color: var(--chip-ink); border: 1px solid; border-radius: .3rem; padding: 0 .3rem;
  font-size: .8em; }
pre { white-space: pre-wrap; margin: .5rem 0; }
.hash, code, pre { font-family: ui-monospace, monospace; font-size: .85em; }
.warning { border: 2px solid; padding: .6rem .9rem; border-radius: .4rem; }
dl { margin: .5rem 0; }
dl > div { display: grid; grid-template-columns: 11rem 1fr; gap: .75rem; padding: .1rem 0; }
dd { margin: 0; min-width: 0; }
table { width: 100%; border-collapse: collapse; font-size: .85rem; margin-top: .5rem; }
caption { text-align: left; }
td { overflow-wrap: break-word; }
td code { overflow-wrap: anywhere; }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem .3rem 0; border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  dl > div { grid-template-columns: 1fr; gap: 0; margin-bottom: .35rem; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  td { display: block; border: 0; padding: .1rem 0; overflow-wrap: anywhere; }
  td::before { content: attr(data-title) ": "; color: var(--quiet); }
  tr { display: block; border-top: 1px solid var(--line); padding: .35rem 0; }
}
@page { size: A4; margin: 20mm 16mm 18mm; }
@media print {
  :root { color-scheme: light; --ink: #000; --quiet: #444; --line: #999; --paper: #fff; --said: #f3f3f3;
    --edge: #000; --chip: #eee; --chip-ink: #000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  h2, h3, h4, .quiet { break-after: avoid; }
  h2 { margin-top: 1.4rem; }
  p, dl > div, tr, blockquote { break-inside: avoid; }
  p { orphans: 3; widows: 3; }
  thead { display: table-header-group; }
  a { color: inherit; text-decoration: none; }
}
"""
"""What is shown may be cut between pages only where nothing of it becomes hard to read."""


def page_style(title: str, foot: str) -> str:
    """Return what stands on every printed page: a head, and a foot with the number of the page."""
    return f"""
@page {{
  font: 8pt system-ui, sans-serif;
  @top-left {{ content: "{_escaped(title)}"; color: #444; }}
  @bottom-left {{ content: "{_escaped(foot)}"; color: #444; }}
  @bottom-right {{ content: "Page " counter(page) " of " counter(pages); color: #444; }}
}}
"""


def _escaped(text: str) -> str:
    """Write a text for a string of a style sheet: whatever is no plain letter or digit as its number."""
    return "".join(sign if sign.isascii() and sign.isalnum() else f"\\{ord(sign):06x}" for sign in text)
