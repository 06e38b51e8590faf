# Runs the blocks of docs/python.md in order, as one program, and compares what they print with what the page shows.
# SPDX-License-Identifier: Apache-2.0
#
# A ```text block right behind a ```python block is what that prints. A block that needs a package which is not
# installed is left out; no block behind it needs what it makes.
import contextlib
import importlib.util
import io
import os
import re

from support import ROOT, PackageTest

PAGE = ROOT / "docs" / "python.md"
# What a block has in it, and the package that it needs.
OPTIONAL = {"import matplotlib": "matplotlib", ".frame()": "pandas"}
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks():
    """Line, code, and what is shown of the output or None, of each block."""
    text = PAGE.read_text(encoding="utf-8")
    return [(text.count("\n", 0, found.start(1)), found[1], found[2]) for found in BLOCK.finditer(text)]


def missing(code):
    """The packages that a block needs and that are not installed."""
    return [package for part, package in OPTIONAL.items() if part in code and importlib.util.find_spec(package) is None]


class Page(PackageTest):
    def test_every_block_prints_what_the_page_shows(self):
        os.environ["MPLBACKEND"] = "Agg"
        names = {"__name__": "page"}
        for line, code, shown in blocks():
            if missing(code):
                continue
            with self.subTest(line=line):
                with contextlib.redirect_stdout(io.StringIO()) as printed:
                    exec(compile("\n" * line + code, PAGE, "exec"), names)  # errors have the page's lines
                if shown is not None:
                    self.assertEqual(printed.getvalue(), shown)
        if importlib.util.find_spec("matplotlib"):
            self.assertEqual((self.folder / "depths.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_no_block_is_left_out(self):
        text = PAGE.read_text(encoding="utf-8")
        others = [page for page in (ROOT / "docs").rglob("*.md") if page != PAGE]
        self.assertFalse([page for page in others if "```python" in page.read_text(encoding="utf-8")])
        self.assertEqual(len(blocks()), text.count("```python\n"))
        self.assertEqual(sum(shown is not None for _, _, shown in blocks()), text.count("```text\n"))
        for part in OPTIONAL:
            self.assertTrue(any(part in code for _, code, _ in blocks()), part)

    def test_the_curve_is_below_both_of_its_bounds(self):
        # Little's law with the rate of one entry, which is served alone; and 4096 of 4178 bytes on a wire of 100 Gb/s.
        rows = dict(map(float, line.split()[:2]) for line in next(shown for _, _, shown in blocks()
                                                                  if shown and "Gb/s" in shown).splitlines())
        wire = 100 * 4096 / 4178
        for depth, rate in rows.items():
            self.assertLessEqual(rate, min(depth * rows[1], wire) + 0.005)
        self.assertAlmostEqual(rows[64], wire, 2)
