# Tests tools/rule_coverage on small books and a small build folder, whose tests ctest really runs.
# SPDX-License-Identifier: Apache-2.0
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "rule_coverage"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("rule_coverage", str(TOOL))
rule_coverage = importlib.util.module_from_spec(importlib.util.spec_from_loader("rule_coverage", loader))
sys.modules["rule_coverage"] = rule_coverage  # where its dataclasses look for themselves
loader.exec_module(rule_coverage)

HEAD = "# A book\n\n| id | statement | source | applies | note |\n|---|---|---|---|---|\n"
K1 = "| K1 | first | S, T | yes | |\n"
K2 = "| K2 | second | S | yes | our choice |\n"
K3 = "| K3 | third | S | no | elsewhere |\n"
X1 = "| X1 | other | S | yes | |\n"

# A Catch program: says which test cases it has, and fails those whose names say so.
PROGRAM = """#!/bin/sh
if [ "$1" = --list-tests ]; then
    cat <<'END'
All available test cases:
{listing}
{count} test cases

END
    exit
fi
case $1 in *fails*) exit 1 ;; esac
"""


class Fixture(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.rules, self.build = self.folder / "rules", self.folder / "build"
        for path in (self.rules, self.build):
            path.mkdir()
        self.ctest = ""
        self.write_tests()

    def book(self, name, *rows):
        (self.rules / name).write_text(HEAD + "".join(rows), encoding="utf-8")
        return self.rules / name

    def add_test(self, name, *command, label=""):
        words = " ".join(f"[==[{word}]==]" for word in (name, *command))
        self.ctest += f"add_test({words})\n"
        if label:
            self.ctest += f"set_tests_properties([==[{name}]==] PROPERTIES LABELS {label})\n"
        self.write_tests()

    def write_tests(self):
        (self.build / "CTestTestfile.cmake").write_text(self.ctest, encoding="utf-8")

    def program(self, name, cases, label=""):
        """A program with test cases {name: tags}."""
        path = self.build / name
        listing = "\n".join(f"  {case}" + (f"\n      {tags}" if tags else "") for case, tags in cases.items())
        path.write_text(PROGRAM.format(listing=listing, count=len(cases)), encoding="utf-8")
        path.chmod(0o755)
        for case in cases:
            self.add_test(case, path, case, label=label)

    def script(self, name, text, **properties):
        path = self.folder / f"{name}_test.py"
        path.write_text(text, encoding="utf-8")
        self.add_test(name, sys.executable, "-B", path, **properties)

    def run_tool(self, *arguments):
        """Exit code and lines of the output, without what it says of running the tests."""
        done = subprocess.run([sys.executable, "-B", TOOL, "--rules", self.rules, "--build", self.build, *arguments],
                              capture_output=True, text=True, check=False)
        errors = [line for line in done.stderr.splitlines() if "running the tests" not in line]
        return done.returncode, [*done.stdout.splitlines(), *errors]


class Tables(Fixture):
    def refused(self, *rows):
        path = self.book("a.md", *rows)
        with self.assertRaises(rule_coverage.Unusable) as problem:
            rule_coverage.read_books(self.rules)
        return str(problem.exception).removeprefix(str(path))

    def test_rows_are_rules(self):
        self.book("a.md", K1, K3.replace("K3", "K2"))
        self.book("b.md", X1)
        for page in ("README.md", "seeds.md"):
            (self.rules / page).write_text("| no | table | of rules |\n", encoding="utf-8")
        self.assertEqual(rule_coverage.read_books(self.rules), {
            "K": [rule_coverage.Rule("K1", "first", True), rule_coverage.Rule("K2", "third", False)],
            "X": [rule_coverage.Rule("X1", "other", True)]})

    def test_a_row_that_cannot_be_read_is_refused_where_it_stands(self):
        self.assertEqual(self.refused(K1, "| K2 | second | S | yes |\n"), ":6: 4 cells, not 5")
        self.assertEqual(self.refused("| 1 | first | S | yes | |\n"), ":5: '1' is no rule's id, such as K7")
        self.assertEqual(self.refused("| K01 | first | S | yes | |\n"), ":5: 'K01' is no rule's id, such as K7")
        self.assertEqual(self.refused("| K1 | first | S | maybe | |\n"), ":5: K1 applies 'yes' or 'no', not 'maybe'")
        self.assertEqual(self.refused("| K1 | | S | yes | |\n"), ":5: K1 has no statement")
        self.assertEqual(self.refused("| K1 | first | | yes | |\n"), ":5: K1 has no source")

    def test_what_does_not_apply_needs_a_reason(self):
        self.assertEqual(self.refused("| K1 | first | S | no | |\n"), ":5: K1 has no note")

    def test_a_book_has_one_letter_and_no_gaps(self):
        self.assertEqual(self.refused(K1, K3), ":6: K3 where K2 belongs")
        self.assertEqual(self.refused(K1, K1), ":6: K1 where K2 belongs")
        self.assertEqual(self.refused(K1, X1), ":6: X1 where K2 belongs")
        self.assertEqual(self.refused(K2), ":5: K2 where K1 belongs")

    def test_a_page_without_the_table_is_refused(self):
        self.assertEqual(self.refused(), ": no table | id | statement | source | applies | note |")
        (self.rules / "a.md").write_text("| rule | text |\n|---|---|\n| K1 | first |\n", encoding="utf-8")
        with self.assertRaises(rule_coverage.Unusable):
            rule_coverage.read_books(self.rules)

    def test_two_pages_with_one_letter_are_refused(self):
        self.book("0.md", K1)
        self.assertEqual(self.refused(K1), ": there is another book K")

    def test_the_books_of_ndsim_are_whole(self):
        books = rule_coverage.read_books(ROOT / "docs" / "rules")
        self.assertEqual({letter: len(rules) for letter, rules in books.items()},
                         {"K": 211, "X": 70, "R": 147, "B": 26, "W": 110})


class Claims(Fixture):
    def test_long_names_and_many_tags_of_a_program_are_put_together(self):
        # Catch breaks lines at 80 columns; a name that goes on stands behind 4 blanks, tags stand behind 6.
        self.program("test_a", {
            "status: success is success for every kind": "",
            "status: a message longer than the receive is BUFFER_OVERFLOW there and an\n    error at the sender":
                "[K102]",
            "opcode: extension headers": "[X2][long][K1]\n      [K2]",
        })
        self.assertEqual(rule_coverage.claims_of_program(self.build / "test_a"), {
            "status:successissuccessforeverykind": [],
            "status:amessagelongerthanthereceiveisBUFFER_OVERFLOWthereandanerroratthesender": ["K102"],
            "opcode:extensionheaders": ["X2", "K1", "K2"]})

    def test_a_script_claims_with_comments_of_nothing_but_tags(self):
        self.script("a", 'def f():\n    # [K1] [X2]\n    return """\n# [K3]\n"""  # [K4]\n# see [K5]\n# [1] [note]\n')
        self.assertEqual(rule_coverage.claims_of_script(self.folder / "a_test.py"), ["K1", "X2", "K4"])


class Coverage(Fixture):
    def setUp(self):
        super().setUp()
        self.book("a.md", K1, K2, K3)

    def test_all_applicable_rules_covered(self):
        self.program("test_a", {"a: sends": "[K1]", "a: receives [twice, at least]": "[K2]", "a: waits": ""})
        self.assertEqual(self.run_tool(), (0, ["K 2 of 2 applicable rules (100 %), 1 does not apply"]))

    def test_an_uncovered_rule_is_named_and_fails(self):
        self.program("test_a", {"a: sends": "[K1]"})
        self.assertEqual(self.run_tool(), (1, ["K 1 of 2 applicable rules (50 %), 1 does not apply", "K2    second"]))

    def test_a_failed_test_covers_nothing(self):
        self.program("test_a", {"a: sends": "[K1]", "a: fails": "[K2]"})
        self.assertEqual(self.run_tool(), (1, [
            "K 1 of 2 applicable rules (50 %), 1 does not apply",
            "K2    second",
            "      claimed by a test that failed: a: fails"]))

    def test_one_of_several_tests_is_enough(self):
        self.program("test_a", {"a: sends": "[K1]", "a: fails": "[K2]", "a: receives": "[K2]"})
        self.assertEqual(self.run_tool()[0], 0)

    def test_of_two_tests_with_one_name_both_must_pass(self):
        self.program("test_a", {"a: sends": "[K1][K2]"})
        self.add_test("a: sends", self.build / "test_a", "fails")
        self.assertEqual(self.run_tool()[1][0], "K 0 of 2 applicable rules (0 %), 1 does not apply")

    def test_a_test_that_did_not_run_covers_nothing(self):
        self.program("test_a", {"a: sends": "[K1]"})
        self.program("test_b", {"b: lasts": "[K2]"}, label="long")
        self.assertEqual(self.run_tool(), (1, [
            "K 1 of 2 applicable rules (50 %), 1 does not apply",
            "K2    second",
            "      claimed by a test that did not run: b: lasts"]))

    def test_a_script_covers_rules_if_it_passes(self):
        self.script("good", "pass  # [K1]\n")
        self.script("bad", "raise SystemExit(1)  # [K2]\n")
        self.assertEqual(self.run_tool()[1][1:], ["K2    second", "      claimed by a test that failed: bad"])

    def test_an_unknown_rule_is_an_error(self):
        self.program("test_a", {"a: sends": "[K1][K2][K4]", "a: waits": "[Q1]", "a: slips": "[k1][K02]"})
        self.assertEqual(self.run_tool(), (1, [
            "K 2 of 2 applicable rules (100 %), 1 does not apply",
            "error: there is no rule K4, which this test claims: a: sends",
            "error: there is no rule Q1, which this test claims: a: waits",
            "error: there is no rule k1, which this test claims: a: slips",
            "error: there is no rule K02, which this test claims: a: slips"]))

    def test_other_tags_are_no_claims(self):
        self.program("test_a", {"a: sends": "[K1][K2][throws][.][update-page]"})
        self.assertEqual(self.run_tool()[0], 0)

    def test_a_claim_of_what_does_not_apply_is_a_warning(self):
        self.program("test_a", {"a: sends": "[K1][K2][K3]"})
        self.assertEqual(self.run_tool(), (0, [
            "K 2 of 2 applicable rules (100 %), 1 does not apply",
            "warning: K3 does not apply, and this test claims it: a: sends"]))

    def test_a_percentage_is_100_only_with_all(self):
        self.book("a.md", *(f"| K{i} | a | S | yes | |\n" for i in range(1, 202)))
        self.program("test_a", {"a: sends": "".join(f"[K{i}]" for i in range(1, 201))})
        self.assertEqual(self.run_tool()[1][0], "K 200 of 201 applicable rules (99 %), 0 do not apply")


class Command(Fixture):
    def setUp(self):
        super().setUp()
        self.book("a.md", K1, K2, K3)
        self.book("b.md", X1)

    def test_a_claim_of_an_unknown_rule_fails_although_all_others_are_covered(self):
        self.program("test_a", {"a: sends": "[K1][K2][X1]"})
        self.assertEqual(self.run_tool()[0], 0)
        self.program("test_b", {"b: waits": "[X9]"})
        (self.build / "tests.xml").unlink()
        code, lines = self.run_tool()
        self.assertEqual(code, 1)
        self.assertIn("error: there is no rule X9, which this test claims: b: waits", lines)

    def test_a_book_alone(self):
        self.program("test_a", {"a: sends": "[K1][X1][K9]"})
        self.assertEqual(self.run_tool("--book", "X"), (0, ["X 1 of 1 applicable rules (100 %), 0 do not apply"]))
        self.assertEqual(self.run_tool("--book", "R"), (2, ["rule_coverage: no book R; there are K, X"]))

    def test_list_says_which_tests_claim_a_rule(self):
        self.program("test_a", {"a: sends": "[K1]", "a: receives": "[K1][X1]", "a: fails": "[X1]"})
        self.assertEqual(self.run_tool("--list")[1], [
            "K1    a: sends", "K1    a: receives", "K2    -", "K3    does not apply",
            "X1    a: receives", "X1    a: fails (failed)"])

    def test_results_that_are_there_are_used(self):
        self.program("test_a", {"a: sends": "[K1][K2][X1]"})
        (self.build / "tests.xml").write_text(
            '<testsuite><testcase name="a: sends" status="fail"/></testsuite>', encoding="utf-8")
        self.assertEqual(self.run_tool("--book", "X")[1][0], "X 0 of 1 applicable rules (0 %), 0 do not apply")

    def test_a_program_that_does_not_know_its_test_is_refused(self):
        # ctest cuts a name at a semicolon, and both halves name no test case.
        self.program("test_a", {"a: sends; receives": "[K1]"})
        self.add_test("a: sends", self.build / "test_a", "a: sends")
        self.assertEqual(self.run_tool(),
                         (2, [f"rule_coverage: {self.build}/test_a does not list its test 'a: sends'"]))

    def test_no_build_folder(self):
        (self.build / "CTestTestfile.cmake").unlink()
        self.assertEqual(self.run_tool(), (2, [f"rule_coverage: {self.build}: no build folder with tests"]))

    def test_no_books(self):
        for path in self.rules.iterdir():
            path.unlink()
        self.assertEqual(self.run_tool(), (2, [f"rule_coverage: {self.rules}: no tables of rules"]))
