# Tests the pages of "ndsim report" of runs with hosts or generators that are alike: these are shown once.
# SPDX-License-Identifier: Apache-2.0
import re

from report_pages import ReportTest
from run_folders import ledger, metric, result, row, write


class Alike(ReportTest):
    """Two hosts that only send, alike, each with a generator."""

    ALIKE = {"alike": {"S1.": "alike S1.", "S2.": "alike S1.", "traffic.t1": "alike traffic.t1",
                       "traffic.t2": "alike traffic.t1", "traffic t1": "alike traffic t1", "traffic t2": "alike traffic t1"}}

    def test_generators_are_one_row_from_the_least_to_the_most(self):
        metrics = {f"traffic.{t}.goodput": metric(gbps * 10**9, "bps") for t, gbps in (("t1", 12), ("t2", 10), ("u", 50))}
        metrics |= {f"traffic.{t}.latency.mean": metric(us * 10**6, "ps") for t, us in (("t1", 3), ("t2", 3), ("u", 9))}
        metrics |= {"traffic.t1.interval": metric(100), "traffic.t2.interval": metric(20_000),
                    "traffic.t1.steady": metric(0), "traffic.t2.steady": metric(1)}
        page = self.made(metrics=metrics, **self.ALIKE)
        rows = re.findall("<tr><td>(traffic.*?)</td></tr>", page)
        self.assertEqual([row.split("<")[0] for row in rows],
                         ["traffic.t1 .. traffic.t2 (2 alike)", "traffic.u",
                          "traffic.t1.latency .. traffic.t2.latency (2 alike)", "traffic.u.latency"])
        for text in ("10 .. 12 Gbps", "± 2.00 %", "1 of 2 not steady"):
            self.assertIn(text, rows[0])
        self.assertIn(">3 us<", rows[2])

    def test_limits_with_one_value_are_one_row(self):
        def limit(t, share, value):
            return {"kind": "window", "what": f"traffic {t}", "share_ppm": share, "binds": True,
                    "parameter": f"traffic.{t}.window", "value": value}
        metrics = {"traffic.t1.goodput": metric(1, "bps")}
        page = self.made(metrics=metrics, limits=[limit("t1", 300_000, "2"), limit("t2", 200_000, "2")], **self.ALIKE)
        self.assertIn("<td>traffic t1 .. traffic t2 (2 alike)</td><td>window</td><td class=\"n\">20.0 .. 30.0 %</td>"
                      "<td>traffic.t1.window .. traffic.t2.window = 2</td>", page)
        page = self.made(metrics=metrics, limits=[limit("t1", 300_000, "2"), limit("t2", 200_000, "3")], **self.ALIKE)
        self.assertIn("<td>traffic t1</td>", page)
        self.assertIn("<td>traffic t2</td>", page)

    def test_curves_and_ledgers_are_of_all_their_requests(self):
        # One request of S1 that takes 100 ns, and one of S2 that takes 300: half of both within 100 ns, 200 in the mean.
        rows = [row("S1.1", 1000, [("post", 100)]), row("S2.1", 1000, [("post", 300)])]
        page = self.made(rows, ledgers=[ledger("S1", "send", 1, post=100), ledger("S2", "send", 1, post=300)], **self.ALIKE)
        self.assertIn('"points":[[100.0,0.0],[100.0,50.0],[300.0,100.0]]', page)
        self.assertIn("S1 .. S2 send (2)", page)
        self.assertEqual(self.titles(self.pictures(page)["ledger-1"]), ["post: 200.0 ns, 100.0 %"])
        self.assertIn("S1 .. S2 send: mean of 2, 200 ns", page)
        self.assertNotIn("ledger-2", page)

    def test_engines_are_one_bar_with_the_time_of_all(self):
        # 1000 ps of each: one works for 100 of it, the other for 300.
        engines = [{"engine": f"{host}.nic.tx", "idle_ps": 1000 - busy, "busy_ps": busy, "blocked_ps": 0,
                    "blocked_by_ps": {}} for host, busy in (("S1", 100), ("S2", 300), ("R", 500))]
        write(self.folder / "made", result(engines=engines, **self.ALIKE))
        page = self.page("made")
        self.assertEqual(self.titles(self.pictures(page)["stall-bars"]),
                         ["R.nic.tx: busy, 50.0 % (500 ps)", "S1.nic.tx .. S2.nic.tx: busy, 20.0 % (400 ps)"])
        self.assertIn("In per cent of 1 ns", page)

    def test_of_their_pools_the_fullest_is_shown(self):
        metrics = {}
        pools = {f"{host}.nic.tx.tx_fifo": {"unit": "bytes", "parameter": "", "kept_full": False}
                 for host in ("S1", "S2", "R")}
        for pool, most in {"S1.nic.tx.tx_fifo": 30, "S2.nic.tx.tx_fifo": 90, "R.nic.tx.tx_fifo": 10}.items():
            metrics |= {f"{pool}.high_water": metric(most), f"{pool}.capacity": metric(100)}
        page = self.made(metrics=metrics, pools=pools, **self.ALIKE)
        rows = re.findall(r"<tr><td>(\S+tx_fifo)</td>.*?<td>([^<]*)</td></tr>", page)
        self.assertEqual(rows, [("S2.nic.tx.tx_fifo", "S1.nic.tx.tx_fifo .. S2.nic.tx.tx_fifo (2 alike)"),
                                ("R.nic.tx.tx_fifo", "")])

    def test_sixteen_senders_are_shown_once(self):
        page = self.library("incast")
        self.assertIn("<td>traffic.t1 .. traffic.t16 (16 alike)</td>", page)
        self.assertIn("S1 .. S16 send: mean of ", page)
        self.assertIn(", the fullest of S1.", page)
        pictures = self.pictures(page)
        self.assertEqual(sum(name.startswith("ledger-") for name in pictures), 2)  # of the senders, and of R
        self.assertNotIn("S2.nic", "".join(self.titles(pictures["stall-bars"])))
        self.assertIn("S1.nic.wqe .. S16.nic.wqe", self.texts(pictures["stall-bars"]))  # whole
