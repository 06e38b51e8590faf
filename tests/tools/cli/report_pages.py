# What the tests of "ndsim report" share: making a page, and taking its pictures apart.
# SPDX-License-Identifier: Apache-2.0
import json
import re
import xml.etree.ElementTree as ElementTree

from run_folders import result, write
from support import LIBRARY, CliTest

SVG = "{http://www.w3.org/2000/svg}"


class ReportTest(CliTest):
    def page(self, *words):
        self.ndsim("report", *words, "-o", "page.html")
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def made(self, rows=(), **changes):
        write(self.folder / "made", result(engines=[], **changes), rows)
        return self.page("made")

    def library(self, name, *words):
        self.ndsim("run", LIBRARY / f"{name}.json", "--timeline", "--out", name)
        return self.page(name, *words)

    def pictures(self, page):
        """The pictures, by the id of their figure."""
        return {name: ElementTree.fromstring(svg) for name, svg in
                re.findall(r'<figure id="([\w-]+)">\n<h3>[^\n]*</h3>\n<div class="picture[\w -]*">(<svg .*?</svg>)', page, re.DOTALL)}

    def curves(self, page):
        """The data of the figures with curves, by the id of their figure."""
        return {name: json.loads(data) for name, data in re.findall(
            r'<figure id="([\w-]+)">\n<h3>[^\n]*</h3>\n<script type="application/json" class="data">(.*?)</script>', page)}

    def texts(self, picture):
        return [text.text for text in picture.iter(f"{SVG}text")]

    def titles(self, picture):
        return [title.text for title in picture.iter(f"{SVG}title")]
