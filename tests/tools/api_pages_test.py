# Tests the pages in docs/api against the headers: each has a place for every call of its interface, and what they name
# of rules, codes and parameters is there.
# SPDX-License-Identifier: Apache-2.0
import re
import unittest

from rule_coverage_test import ROOT, rule_coverage

API = ROOT / "docs" / "api"
NDAPI = ROOT / "ndapi"
PAGES = ("ndk.md", "ndspi1.md", "ndspi2.md", "wsd.md")

INTERFACE = re.compile(r"^(?:struct|class) (\w+)(?: : \w+)? \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
METHOD = re.compile(r"virtual \w+ (\w+)\(([^)]*)\) = 0;")
HELPER = re.compile(r"^(?:HRESULT|VOID) (Nd\w+)\(([^)]*)\);", re.MULTILINE)
SLOT = re.compile(r"^    NDK_FN_\w+ (Ndk\w+);", re.MULTILINE)
CALL = re.compile(r"\b(?:Ndk|WSP)\w+")
RULE = re.compile(r"\b([A-Z])([1-9][0-9]*)\b")
CODE = re.compile(r"\b(?:ND|STATUS|E)_[A-Z0-9_]*[A-Z0-9]\b")
CONSTANT = re.compile(r"\b((?:ND|STATUS|E)_[A-Z0-9_]+) ?[={,]")
PARAMETER = re.compile(r"`((?:cpu|nic|pcie|root|iommu|adapter)\.[\w.]+)")
ROWS = ["parameters", "returns", "ends with", "costs", "rules"]


def text_of(path):
    return path.read_text(encoding="utf-8")


def page(name):
    return text_of(API / name)


def headers(pattern):
    return "\n".join(text_of(path) for path in sorted(NDAPI.glob(pattern)))


def words_of(parameters):
    """The names of a declaration's parameters, of which each stands last."""
    return re.findall(r"(\w+)(?:\[\])?(?=,|$)", "" if parameters == "void" else " ".join(parameters.split()))


def interfaces(pattern):
    """{interface: {method: its parameters}} in the order of the tables, without what comes from a base."""
    text = headers(pattern)
    found = {name: {method: words_of(parameters) for method, parameters in METHOD.findall(body)}
             for name, body in INTERFACE.findall(text)}
    if sum(map(len, found.values())) != text.count(" = 0;"):
        raise ValueError(f"{pattern}: methods in a notation that is not looked at")
    return found


def calls_with_a_place(text):
    """The calls that have a heading or the first cell of a row to themselves."""
    places = re.findall(r"^(?:#+ (.*)|\| ([^|]*) \|.*)$", text, re.MULTILINE)
    calls = [set(CALL.findall(heading + cell)) for heading, cell in places]
    return {call for found in calls if len(found) == 1 for call in found}


def sections(text, level):
    """[(heading, text below it)] of one level."""
    parts = re.split(rf"^{'#' * level} (.*)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2]))


class Calls(unittest.TestCase):
    maxDiff = None

    def check_rows(self, where, text, parameters):
        """A call of NDSPI has all its rows, and tells of all its parameters."""
        rows = dict(re.findall(r"^\| ([a-z ]+) \| (.+) \|$", text.partition("| | |\n|---|---|\n")[2], re.MULTILINE))
        begins = {"pOverlapped", "pResult", "requestContext"} & set(parameters) and where[1] != "GetOverlappedResult"
        self.assertEqual(list(rows), [row for row in ROWS if row != "ends with" or begins], where)
        if not parameters:
            self.assertEqual(rows["parameters"], "none", where)
        self.assertEqual(set(parameters) - set(re.findall(r"`(\w+)`", rows["parameters"])), set(), where)

    def check_ndspi(self, name, faces):
        """A section for each interface, and in it one for each call, in their order."""
        places = dict(sections(page(name), 2))
        for face, methods in faces.items():
            with self.subTest(name, interface=face):
                self.assertIn(face, places)
                told = sections(places[face], 3)
                self.assertEqual([heading for heading, _ in told], list(methods))
                for heading, text in told:
                    self.check_rows((face, heading), text, methods[heading])

    def test_ndspi_1(self):
        faces = interfaces("ndspi/ndspi_v1_*.h")
        self.assertEqual(len(faces), 8)
        self.check_ndspi("ndspi1.md", {"IUnknown": interfaces("windows/abi/unknown.h")["IUnknown"], **faces})

    def test_ndspi_2(self):
        faces = interfaces("ndspi/ndspi_v2_*.h")
        self.assertEqual(len(faces), 10)
        helpers = {name: words_of(parameters) for name, parameters in HELPER.findall(headers("ndspi/ndsupport.h"))}
        self.assertEqual(len(helpers), 8)
        self.check_ndspi("ndspi2.md", {"IUnknown": interfaces("windows/abi/unknown.h")["IUnknown"], **faces,
                                       "Helper functions": helpers})

    def test_ndk(self):
        slots = set(SLOT.findall(headers("ndk/*.h")))
        self.assertGreater(len(slots), 50)
        self.assertEqual(slots - calls_with_a_place(page("ndk.md")), set())

    def test_winsock_direct(self):
        methods = interfaces("wsd/wsp.h")["Wsp"]
        self.assertGreater(len(methods), 20)
        self.assertEqual(set(methods) - calls_with_a_place(page("wsd.md")), set())


class Names(unittest.TestCase):
    maxDiff = None

    def check(self, named, known):
        for path in sorted(API.glob("*.md")):
            with self.subTest(path.name):
                self.assertEqual(set(named(text_of(path))) - known, set())

    def test_rules(self):
        books = rule_coverage.read_books(ROOT / "docs" / "rules")
        known = {rule.id for rules in books.values() for rule in rules}
        self.check(lambda text: [letter + number for letter, number in RULE.findall(text) if letter in books], known)

    def test_codes(self):
        known = set(CONSTANT.findall(headers("**/*.h")))
        self.assertGreater(len(known), 100)
        self.check(CODE.findall, known)

    def test_parameters(self):
        known = set()
        for path in (ROOT / "docs" / "model").glob("*.md"):
            for prefix, table in re.findall(r"^\| parameter `(\w+\.)` .*\n((?:\|.*\n)+)", text_of(path), re.MULTILINE):
                known.update(prefix + key for key in re.findall(r"^\| `([\w.]+)` \|", table, re.MULTILINE))
        self.assertGreater(len(known), 100)
        self.check(PARAMETER.findall, known)


class Index(unittest.TestCase):
    def test_has_every_page(self):
        self.assertEqual(sorted(re.findall(r"^\| \[[^]]+\]\((\w+\.md)\) \|", page("README.md"), re.MULTILINE)),
                         sorted(PAGES))
        self.assertEqual(sorted(path.name for path in API.glob("*.md")), sorted([*PAGES, "README.md"]))
