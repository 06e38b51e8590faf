# Tests "ndsim report" of two runs: the page says what differs, and draws the latencies of both.
# SPDX-License-Identifier: Apache-2.0
import re

from report_pages import ReportTest
from run_folders import ledger, metric, result, row, settings, write
from support import LIBRARY


def table_under(page, title):
    """The rows of the first table under a heading, as lists of texts."""
    part = page[page.index(f">{title}</h"):]
    table = part[part.index("<table"):part.index("</table>")]
    rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", each, re.DOTALL) for each in rows]


class TwoRuns(ReportTest):
    def two(self, first, second, rows=((), ())):
        write(self.folder / "one", result(engines=[], **first), rows[0])
        write(self.folder / "two", result(engines=[], **second), rows[1])
        return self.page("one", "two")

    def test_figures_that_differ_stand_side_by_side(self):
        page = self.two({"metrics": {"traffic.t.messages": metric(200), "traffic.t.failed": metric(0)}},
                        {"metrics": {"traffic.t.messages": metric(250), "traffic.t.failed": metric(0)}})
        # 250 are 50 more than 200, a quarter of 200.
        self.assertEqual(table_under(page, "Figures")[1:], [["traffic.t.messages", "200", "250", "+50", "+25.00"]])
        self.assertIn("The runs differ.", page)

    def test_runs_alike_say_so(self):
        page = self.two({}, {})
        for said in ("The runs are the same.", "Nothing was set differently.", "No figure differs.",
                     "The mean ledgers are the same."):
            self.assertIn(said, page)

    def test_the_first_event_that_differs(self):
        rows = [[row("A.1", 0, (("wire", 5),)), row("A.2", 100, (("post", 50), ("wire", wire)))] for wire in (200, 300)]
        page = self.two({}, {}, rows)
        # The second Send ends at 100 + 50 + 200 ns in the first run, and 100 ns later in the second.
        self.assertEqual(table_under(page, "First difference")[1:],
                         [["start", "0 ps", "0 ps"], ["A.2", "send", "send"], ["began", "100 ns", "100 ns"],
                          ["ended", "350 ns", "450 ns"], ["took", "250 ns", "350 ns"],
                          ["status", "success, 0 bytes", "success, 0 bytes"]])
        self.assertIn("<p>Their ledgers diverge 50 ns after the post, in wire: 200 ns in the first, "
                      "300 ns in the second.</p>", page)
        self.assertIn("First event that differs: none; ", self.two({}, {}, (rows[0], rows[0])))

    def test_what_was_set_and_what_came_of_it(self):
        self.ndsim("run", LIBRARY / "stream.json", "--out", "a", "--no-waves")
        self.ndsim("run", LIBRARY / "stream.json", "--set", "nic.mtu=1024", "--out", "b", "--no-waves")
        out, _ = self.ndsim("report", "a", "b")
        self.assertEqual(out, "a/report-beside.html: open it in a browser\n")
        page = (self.folder / "a/report-beside.html").read_text(encoding="utf-8")
        self.assertEqual(re.findall("<h2 id=.*?>(.*?)</h2>", page),
                         ["Settings", "Figures", "First difference", "Latency", "Ledger", "Engines"])
        self.assertEqual(table_under(page, "Settings")[1:],
                         [[f"hosts.{host}.nic.mtu", "4096 (preset)", "1024 (command line)"] for host in "AB"])
        curves = [series["name"] for series in self.curves(page)["latency-curve"]["series"]]
        self.assertIn("first: A send (400)", curves)
        self.assertIn("second: A send (400)", curves)
        # The last row of a ledger is the sum of the others, up to its rounding to a tenth of a nanosecond.
        rows = table_under(page, "Mean send of A")
        for column in (1, 2, 3):
            figures = [float(each[column]) for each in rows[1:]]
            self.assertAlmostEqual(sum(figures[:-1]), figures[-1], places=6)
        # Another run removes the page.
        self.ndsim("run", LIBRARY / "stream.json", "--out", "a", "--no-waves")
        self.assertFalse((self.folder / "a/report-beside.html").exists())

    def test_both_are_runs(self):
        self.ndsim("run", self.small, "--out", "run")
        _, err = self.ndsim("report", "run", "nowhere", exit=2)
        self.assertEqual(err, "ndsim: nowhere: there is no such folder\n")
