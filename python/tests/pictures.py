"""Draws what a notebook and a terminal show of a diagnostic, as SVG: `python python/tests/pictures.py` writes the pictures."""

import html
import pathlib
import re

import arrlang as arr
from arrlang._found import to_html

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "pictures"
CODE = 'arr.check("image + 50", image="u8[y, x]")'
ROW, COLUMN = 18, 8.43


def found():
    return arr.check("image + 50", image="u8[y, x]")[0]


def rows(coloured):
    """Lines of `(text, style)` runs, as the HTML of a notebook has them."""
    inside = re.fullmatch(r"<pre[^>]*>(.*)</pre>", to_html(coloured), re.S).group(1)
    style, made = "", [[]]
    for piece in re.split(r'(<span style="[^"]*">|</span>)', inside):
        if piece.startswith("<span"):
            style = re.search('style="([^"]*)"', piece).group(1)
        elif piece == "</span>":
            style = ""
        else:
            for at, part in enumerate(html.unescape(piece).split("\n")):
                if at:
                    made.append([])
                made[-1].append((part, style))
    return made


def svg(lines, colours, boxes=()):
    """Runs of text in a monospaced font; every run stands where its column is."""
    paper, ink = colours
    width = max(sum(len(text) for text, _ in line) for line in lines) * COLUMN + 32
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{len(lines) * ROW + 28}" font-family="monospace" font-size="14">',
             f'<rect width="100%" height="100%" rx="6" fill="{paper}"/>']
    parts += [f'<rect x="8" y="{first * ROW + 8}" width="{width - 16:.0f}" height="{count * ROW + 8}" fill="{fill}"/>' for first, count, fill in boxes]
    for at, line in enumerate(lines):
        column = 0
        for text, style in line:
            if text.strip():
                style = style.replace("color:", "fill:") or f"fill:{ink}"
                parts.append(f'<text xml:space="preserve" x="{16 + column * COLUMN:.1f}" y="{(at + 1) * ROW + 6}" textLength="{len(text) * COLUMN:.1f}" style="{style}">{html.escape(text)}</text>')
            column += len(text)
    return "\n".join([*parts, "</svg>", ""])


def notebook():
    drawn = rows(found().coloured)
    return svg([[("In [2]: ", "color:#303f9f"), (CODE, "")], [("", "")], *drawn], ("#ffffff", "#202020"), [(0, 1, "#f5f5f5")])


def terminal():
    drawn = rows(found().coloured)
    return svg([[(">>> ", "color:#888888"), (CODE, "")], *drawn], ("#f8f8f2", "#282828"))


PICTURES = {"python-notebook.svg": notebook, "python-terminal.svg": terminal}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw())
