# Tests what tools/rule_coverage does with the table of the seeds.
# SPDX-License-Identifier: Apache-2.0
from rule_coverage_test import Fixture, K1, K2, K3, ROOT, X1, rule_coverage

HEAD = "# Seeds\n\n| seed | statement | rules |\n|---|---|---|\n"


class Seeds(Fixture):
    def setUp(self):
        super().setUp()
        self.book("a.md", K1, K2, K3)
        self.book("b.md", X1)
        self.program("test_a", {"a: sends": "[K1]", "a: fails": "[K2]", "a: waits": "[X1]"})

    def seeds(self, *rows):
        (self.rules / "seeds.md").write_text(HEAD + "".join(rows), encoding="utf-8")

    def refused(self, *rows):
        """Whatever the tool is asked for."""
        self.seeds(*rows)
        code, lines = self.run_tool()
        self.assertEqual((code, len(lines)), (2, 1))
        return lines[0].removeprefix(f"rule_coverage: {self.rules}/seeds.md")

    def test_a_statement_is_covered_if_all_its_rules_that_apply_are(self):
        # K1 and X1 are covered, K2 is not, K3 does not apply.
        self.seeds("| 000 | one | K1 |\n", "| 000 | two | K1, X1 |\n", "| 000 | three | K1, K2 |\n",
                   "| 000 | four | K1, K3 |\n", "| 000 | five | K3 |\n", "| 004 | six | K2 |\n")
        self.assertEqual(self.run_tool("--seeds"), (1, [
            "000 3 of 5 statements covered, 1 without a rule that applies",
            "004 0 of 1 statements covered, 0 without a rule that applies"]))

    def test_with_a_book_its_rules_alone_count(self):
        self.seeds("| 000 | one | K2, X1 |\n", "| 000 | two | K1 |\n")
        self.assertEqual(self.run_tool("--seeds", "--book", "X"),
                         (0, ["000 1 of 2 statements covered, 1 without a rule that applies"]))

    def test_a_rule_that_no_book_has_is_refused(self):
        for rules, wrong in (("K1, Q1", "Q1"), ("K1, K4", "K4"), ("K01", "K01"), ("K1-K2", "K1-K2"), ("", "")):
            self.assertEqual(self.refused("| 000 | one | K1 |\n", f"| 000 | two | {rules} |\n"),
                             f":6: there is no rule '{wrong}'")

    def test_a_page_without_the_table_is_refused(self):
        self.assertEqual(self.refused(), ": no table | seed | statement | rules |")
        self.assertEqual(self.refused("| 000 | one |\n"), ":5: 2 cells, not 3")

    def test_the_seeds_of_ndsim_name_rules_that_there_are(self):
        folder = ROOT / "docs" / "rules"
        seeds = rule_coverage.read_seeds(folder / "seeds.md", rule_coverage.read_books(folder))
        self.assertEqual(list(seeds), ["000", "001", "002", "003", "004"])
