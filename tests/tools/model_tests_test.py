# Tests that docs/model/README.md names the tests of formulae and limits: each one named is there and says so with its
# tag, each one with a tag is named, and every page with a formula has one.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "model"
CASE = re.compile(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"(?:\s*,\s*"([^"]*)")?\)')


def cases_with(tag):
    """The test cases of all C++ tests that have this tag."""
    return {name for path in (ROOT / "tests").rglob("*_test.cpp")
            for name, tags in CASE.findall(path.read_text(encoding="utf-8")) if tag in tags}


def table_of(what):
    """The rows of the table of this in README.md: (unit, what it is, test cases)."""
    rows, inside = [], False
    for line in (PAGES / "README.md").read_text(encoding="utf-8").splitlines():
        if line == f"| unit | {what} | test cases |":
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            unit, subject, names = (cell.strip() for cell in line.strip("|").split("|"))
            rows.append((unit, subject, re.findall(r"`([^`]+)`", names)))
    return rows


class Tests(unittest.TestCase):
    maxDiff = None

    def check(self, what):
        rows = table_of(what)
        named = {name for _, _, names in rows for name in names}
        self.assertGreater(len(named), 30)
        self.assertEqual(named, cases_with(f"[{what}]"))
        for unit, subject, names in rows:
            self.assertTrue((PAGES / f"{unit}.md").is_file(), unit)
            self.assertTrue(names, f"{unit}, {subject}")

    def test_formulae(self):
        self.check("formula")

    def test_limits(self):
        self.check("limit")

    def test_every_page_with_a_formula_has_a_test(self):
        with_formula = {page.stem for page in PAGES.glob("*.md")
                        if "**Latency" in page.read_text(encoding="utf-8")}
        self.assertLessEqual(with_formula, {unit for unit, _, _ in table_of("formula")})

    def test_what_a_limit_names_is_on_its_page(self):
        for unit, subject, _ in table_of("limit"):
            words = re.findall(r"`([^`]+)`", (PAGES / f"{unit}.md").read_text(encoding="utf-8"))
            for name in re.findall(r"`([^`]+)`", subject):
                self.assertIn(name, words, unit)


class Pages(unittest.TestCase):
    def test_each_says_what_it_has_to(self):
        units = re.findall(r"^\| \[\w+\]\((\w+\.md)\) \|", (PAGES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertGreater(len(units), 10)
        for page in units:
            text = (PAGES / page).read_text(encoding="utf-8")
            for part in (r"\*\*Hardware\.\*\*", r"\*\*Left out\.\*\*", r"\| parameter |No parameters",
                         r"\*\*Latency|[Nn]o latency", r"\*\*Stall reasons?|\*\*Waits\.|no stall",
                         r"\*\*Statistics\.\*\*|\| pool \|"):
                self.assertRegex(text, part, page)
