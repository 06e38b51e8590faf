# Tests ndsim sensitivity: what a figure depends on, by how much, and how far estimates may move it.
# SPDX-License-Identifier: Apache-2.0
import json
import re

from support import LIBRARY, CliTest

LONE = """{
  "hosts": { "A": {}, "B": {} },
  "links": { "l0": { "length": "100 m" } },
  "traffic": { "t": { "from": "A", "to": "B", "operation": "write", "size": "64 B", "count": 50, "window": 1 } }
}
"""

WIRE = """{
  "hosts": { "A": {}, "B": {} },
  "traffic": { "t": { "from": "A", "to": "B", "size": "64 KiB", "count": 100, "window": 16 } }
}
"""

READS = """{
  "hosts": { "A": { "nic": { "rx_buffer": "1 MiB" } }, "B": { "nic": { "rx_buffer": "1 MiB" } } },
  "links": { "l0": { "length": "3 km" } },
  "traffic": { "t": { "from": "A", "to": "B", "operation": "read", "size": "64 KiB", "count": 200, "window": 7 } }
}
"""

DROPS = """{
  "hosts": { "A": {}, "B": { "pcie": { "width": 4 }, "nic": { "pause": false } } },
  "traffic": { "t": { "from": "A", "to": "B", "size": "8 KiB", "count": 30, "window": 60 } }
}
"""

DEAD = """{
  "hosts": { "A": { "nic": { "sq": { "depth": 700 } } }, "B": {} },
  "traffic": { "t": { "from": "A", "to": "B", "operation": "write", "size": "64 B", "count": 5000, "window": 600 } }
}
"""


class Sensitivity(CliTest):
    def setUp(self):
        super().setUp()
        self.write("lone.json", LONE)

    def test_a_longer_cable_adds_its_flight_there_and_back(self):
        said = self.envelope("sensitivity", "lone.json", "--metric", "traffic.t.latency.mean")["result"]
        metric, = said["metrics"]
        base = metric["value"]
        cable = next(each for each in said["parameters"] if each["name"] == "link.length")
        # 50 m less, or 100 m more, at 5 ns for a metre, there and back: 500 ns and 1 us.
        self.assertEqual(cable["at_low"], [base - 500_000])
        self.assertEqual(cable["at_high"], [base + 1_000_000])
        self.assertFalse(cable["estimate"])
        # The largest effect comes first.
        swings = [max(abs(end - base) for end in [*each["at_low"], *each["at_high"]] if end is not None)
                  for each in said["parameters"]
                  if any(end is not None for end in [*each["at_low"], *each["at_high"]])]
        self.assertEqual(swings, sorted(swings, reverse=True))
        # All estimates at once move it at least as far as any one of them.
        ends = [end for each in said["parameters"] if each["estimate"] for end in [*each["at_low"], *each["at_high"]]
                if end is not None]
        self.assertLessEqual(metric["low"], min(ends))
        self.assertGreaterEqual(metric["high"], max(ends))
        self.assertGreater(metric["estimates_that_matter"], 3)

    def test_what_it_tells(self):
        out, _ = self.ndsim("sensitivity", "lone.json")
        self.assertRegex(out, r"^lone\.json: \d+ parameters, each at both ends of its range; \d+ more had no effect\n")
        self.assertRegex(out, r"traffic\.t\.latency\.mean: [0-9.]+ us\n  [0-9.]+ us to [0-9.]+ us, if all \d+ estimates")
        self.assertRegex(out, r"  link\.length +100 m  -[0-9.]+ % at 50 m +\+[0-9.]+ % at 200 m\n")
        self.assertRegex(out, r"  nic\.rx_pipe +120 ns .* estimate\n")
        self.assertTrue((self.folder / "out/lone-sensitivity/sensitivity.json").exists())

    # A buffer of half the size overflows once; without that nothing is dropped.
    def test_a_figure_that_is_zero_has_what_it_becomes(self):
        self.write("drops.json", DROPS)
        out, _ = self.ndsim("sensitivity", "drops.json", "--metric", "B.nic.rx.overflows")
        self.assertRegex(out, r"\nB\.nic\.rx\.overflows: 0\n  0 to [1-9]\d*, if the one estimate that matters is off")
        self.assertRegex(out, r"\n  nic\.rx_buffer +256 KiB +[1-9]\d* at 128 KiB +- +estimate\n")

    # With half the depth the completion queue overruns, long before the end.
    def test_a_run_that_loses_its_connection_has_no_figures(self):
        self.write("dead.json", DEAD)
        out, _ = self.ndsim("sensitivity", "dead.json", "--metric", "run.ended")
        self.assertRegex(out, r"\n  nic\.cq\.depth +1024 +aborted at 512 ")
        self.assertNotRegex(out, r"with nic\.cq\.depth alone")

    # At most 7 x 64 KiB of the read buffer's 512 KiB are used, so more of it has no effect. Half of it holds four Reads, and
    # a Read of 3 km takes 30 us: a rate of at most 256 KiB in that time, 70 Gbps.
    def test_a_pool_that_was_never_full_is_tried_at_its_low_end(self):
        self.write("reads.json", READS)
        said = self.envelope("sensitivity", "reads.json", "--metric", "traffic.t.goodput")["result"]
        buffer = next(each for each in said["parameters"] if each["name"] == "nic.read_buffer")
        self.assertEqual((buffer["low"], buffer["high"]), ("256 KiB", None))
        self.assertGreater(said["metrics"][0]["value"], 90e9)
        self.assertLess(buffer["at_low"][0], 70e9)
        self.assertLessEqual(said["metrics"][0]["low"], buffer["at_low"][0])
        # A pool that would do with half as well is none.
        self.assertNotIn("nic.sq.depth", [each["name"] for each in said["parameters"]])

    # What comes while a pause frame is on its way over 6 km overflows an RX buffer of 1 MiB.
    def test_an_end_that_the_scenario_cannot_have_is_refused(self):
        self.write("reads.json", READS)
        out, _ = self.ndsim("sensitivity", "reads.json", "--metric", "traffic.t.goodput", "--out", "study")
        self.assertRegex(out, r"\n  link\.length +3 km .* refused at 6 km\n")
        self.assertRegex(out, r"\nRefused\n(  .*\n)*  link\.length = 6 km: hosts\.A\.nic\.rx_buffer: 1 MiB overflows")
        self.ndsim("report", "study")
        page = (self.folder / "study" / "report.html").read_text()
        self.assertNotIn("link.length = 6 km:", page)
        self.assertIn("6 km (refused: hosts.A.nic.rx_buffer", page)

    # RS-FEC takes 100 ns, each way.
    def test_a_cable_without_fec_is_tried_with_it(self):
        said = self.envelope("sensitivity", "lone.json", "--metric", "traffic.t.latency.mean")["result"]
        fec = next(each for each in said["parameters"] if each["name"] == "link.fec")
        self.assertEqual((fec["value"], fec["low"], fec["high"]), ("0 ps", None, "100 ns"))
        self.assertEqual(fec["at_high"], [said["metrics"][0]["value"] + 200_000])

    def test_the_points_of_a_sweep_have_bars(self):
        said = self.envelope("sensitivity", "lone.json", "--metric", "traffic.t.latency.mean", "--vary",
                             "links.l0.length=100 m,200 m")["result"]
        self.assertEqual(said["axes"], ["links.l0.length"])
        near, far = said["points"]
        self.assertEqual((near["values"], far["values"]), (["100 m"], ["200 m"]))
        metric, = said["metrics"]
        self.assertEqual(near["figures"], [{"value": metric["value"], "low": metric["low"], "high": metric["high"]}])
        # 100 m more, there and back: 1 us, whatever the estimates are. The delay of a metre was seen, and is none.
        for end in ("value", "low", "high"):
            self.assertEqual(far["figures"][0][end] - near["figures"][0][end], 1_000_000, end)
        out, _ = self.ndsim("sensitivity", "lone.json", "--vary", "nic.mtu=1024,4096")
        self.assertRegex(out, r"\n +mtu +goodput +with estimates +mean +with estimates\n +1024 +[0-9.]+ Mbps +[0-9.]+ Mbps to ")

    # 16 messages of 64 KiB in flight fill the wire, whatever the estimates are. One alone waits for each step of its way.
    def test_the_bars_of_a_point_are_those_of_its_own_study(self):
        self.write("wire.json", WIRE)
        swept = self.envelope("sensitivity", "wire.json", "--vary", "traffic.t.window=1,16")["result"]
        alone = self.envelope("sensitivity", "wire.json", "--set", "traffic.t.window=1")["result"]
        bars = [{end: metric[end] for end in ("value", "low", "high")} for metric in alone["metrics"]]
        self.assertEqual(swept["points"][0]["figures"], bars)
        self.assertLess(bars[0]["low"], 0.95 * bars[0]["value"])
        full = swept["points"][1]["figures"][0]
        self.assertAlmostEqual(full["low"] / full["high"], 1, delta=0.002)

    def test_a_run_has_the_error_bars_of_a_study(self):
        names = [f"traffic.t.{figure}" for figure in ("goodput", "latency.mean")]  # 50 samples have no p99
        study = self.envelope("sensitivity", "lone.json", *(word for name in names for word in ("--metric", name)))
        run = self.envelope("run", "lone.json", "--error-bars", "--set", "outputs.completions=false")["result"]
        self.assertEqual(list(run["error_bars"]), names)
        for metric in study["result"]["metrics"]:
            bar = run["error_bars"][metric["name"]]
            self.assertEqual(bar, {"value": metric["value"], "unit": metric["unit"], "low": metric["low"],
                                   "high": metric["high"], "estimates": metric["estimates_that_matter"]})
            self.assertEqual(bar["value"], run["metrics"][metric["name"]]["value"])
        self.assertLess(run["error_bars"]["traffic.t.latency.mean"]["low"],
                        run["error_bars"]["traffic.t.latency.mean"]["value"])
        out, _ = self.ndsim("run", "lone.json", "--error-bars")
        self.assertRegex(out, r"\nError bars, .*\n +lowest +as it is +highest +estimates\n  traffic\.t\.goodput ")

    def test_a_run_that_comes_to_no_end_has_no_error_bars(self):
        out, _ = self.ndsim("run", "lone.json", "--error-bars", "--set", "limits.time=10 us", exit=5)
        self.assertIn("\n  none: the run has no rates and latencies\n", out)

    def test_advice_has_the_error_bars_of_what_it_says_to_build(self):
        said = self.envelope("advise", "lone.json", "--target", "no RNR", "--error-bars", "--seeds", "1")["result"]
        bar = said["error_bars"]["traffic.t.latency.mean"]
        self.assertLess(bar["low"], bar["value"])
        self.assertLess(bar["value"], bar["high"])

    def test_the_page_has_a_tornado(self):
        out, _ = self.ndsim("sensitivity", "lone.json", "--out", "study")
        self.ndsim("report", "study")
        page = (self.folder / "study/report.html").read_text(encoding="utf-8")
        self.assertIn("<h1>lone: sensitivity</h1>", page)
        conditions = re.findall(r", if (.*estimates that matter .*)", out)
        self.assertTrue(conditions)
        for condition in conditions:  # the ends of the ranges, in the same words
            self.assertIn(f", if {condition}.</p>", page)
        self.assertIn('id="tornado-1"', page)
        self.assertIn("link.length = 200 m: ", page)  # under the pointer
        self.assertIn("<td>no range is known: half and twice</td>", page)
        (self.folder / "study/sensitivity.json").write_text("{}", encoding="utf-8")
        _, err = self.ndsim("report", "study", exit=2)
        self.assertIn("study/sensitivity.json is not what this version of ndsim sensitivity writes; run it again", err)

    def test_the_page_of_a_sweep_has_error_bars(self):
        said = self.envelope("sensitivity", "lone.json", "--metric", "traffic.t.latency.mean", "--vary",
                             "links.l0.length=200 m,100 m", "--out", "study")["result"]
        self.ndsim("report", "study")
        page = (self.folder / "study/report.html").read_text(encoding="utf-8")
        plot = re.search(r'<figure id="error-bars-0">.*?<script[^>]*>(.*?)</script>', page, re.DOTALL)
        series = json.loads(plot.group(1))["series"]
        self.assertEqual([each["name"] for each in series],
                         ["traffic.t.latency.mean", "highest with estimates", "lowest with estimates"])
        far, near = said["points"]
        for each, end in zip(series, ("value", "high", "low"), strict=True):  # the lengths in order, times in us
            self.assertEqual(each["points"], [[100, near["figures"][0][end] / 1e6], [200, far["figures"][0][end] / 1e6]])
        self.assertRegex(page, r"<td[^>]*>200 m</td><td[^>]*>[0-9.]+ us</td><td[^>]*>[0-9.]+ us to [0-9.]+ us</td>")
        self.ndsim("sensitivity", "lone.json", "--metric", "traffic.t.latency.mean", "--out", "alone")
        self.ndsim("report", "alone")
        self.assertNotIn("Error bars", (self.folder / "alone/report.html").read_text(encoding="utf-8"))

    def test_a_scenario_of_programs_has_the_time_of_its_end(self):
        said = self.envelope("sensitivity", LIBRARY / "ping-pong.json")["result"]
        self.assertEqual([each["name"] for each in said["metrics"]], ["run.ended"])

    def test_a_metric_that_there_is_not_is_told(self):
        _, err = self.ndsim("sensitivity", "lone.json", "--metric", "traffic.t.latency.men", exit=2)
        self.assertEqual(err, 'ndsim: --metric: there is no metric "traffic.t.latency.men"; did you mean '
                              '"traffic.t.latency.mean"?\n')

    def test_a_run_that_stops_at_a_limit_says_so(self):
        _, err = self.ndsim("sensitivity", "lone.json", "--set", "limits.time=10 us", exit=2)
        self.assertRegex(err, r"^ndsim: the run has no traffic\.t\.goodput: stopped at a limit: the limit of 10 us of "
                              r"simulated time; ")
