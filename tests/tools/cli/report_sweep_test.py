# Tests "ndsim report" of sweeps and of advice: curves, knees, heatmaps.
# SPDX-License-Identifier: Apache-2.0
import csv
import html
import json
import re
import shutil

from report_pages import ReportTest

OVERRUN = """{
  "hosts": { "A": { "cqs": { "c": { "depth": 1 } }, "qps": { "q0": { "send_cq": "c" } } }, "B": {} },
  "traffic": { "t": { "from": "A", "to": "B", "operation": "write", "size": "64 B", "count": 200 } }
}
"""


class Sweep(ReportTest):
    def sweep(self, *vary):
        self.ndsim("sweep", self.small, "--set", "traffic.t.size=64 KiB", "--set", "traffic.t.count=40",
                   *(word for axis in vary for word in ("--vary", axis)), "--out", "swept", exit=1)
        with open(self.folder / "swept/sweep.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file)), self.page("swept")

    def test_heatmap_has_a_cell_for_each_point_with_its_figure(self):
        rows, page = self.sweep("traffic.t.window=1..4*2", "nic.mtu=1024,4096")
        titles = self.titles(self.pictures(page)["heatmap-1"])
        self.assertEqual(len(titles), 6)
        for each, title in zip(rows, titles):
            self.assertTrue(title.startswith(f"traffic.t.window = {each['traffic.t.window']}, nic.mtu = {each['nic.mtu']}, "))
            shown = float(re.search(r", traffic.t.goodput = ([\d.]+) Gbps", title)[1])
            self.assertAlmostEqual(shown, int(each["traffic.t.goodput [bps]"]) / 1e9, delta=0.006)

    def test_the_page_is_that_of_the_command_that_wrote_to_the_folder_last(self):
        _, page = self.sweep("traffic.t.window=1,2")
        self.assertNotIn('<h2 id="ledger">', page)
        self.ndsim("run", self.small, "--quiet", "--out", "swept")
        self.assertIn('<h2 id="ledger">', self.page("swept"))
        _, page = self.sweep("traffic.t.window=1,2")
        self.assertNotIn('<h2 id="ledger">', page)

    def test_a_heatmap_has_a_key_from_the_lowest_to_the_highest_value(self):
        rows, page = self.sweep("traffic.t.window=1..4*2", "nic.mtu=1024,4096")
        goodputs = [int(each["traffic.t.goodput [bps]"]) / 1e9 for each in rows]
        key = [float(text[:-5]) for text in self.texts(self.pictures(page)["heatmap-1"]) if text.endswith(" Gbps")]
        for shown, value in zip(key, (min(goodputs), max(goodputs)), strict=True):
            self.assertAlmostEqual(shown, value, delta=0.006)

    def test_a_map_of_more_than_two_axes_says_what_the_others_are(self):
        self.ndsim("sweep", self.small, "--vary", "traffic.t.window=1,2,4", "--vary", "link.length=2 m,20 m", "--vary",
                   "nic.mtu=1024,2048,4096", "--out", "swept")
        self.assertRegex(self.page("swept"), r"traffic\.t\.goodput \[[MG]bps\], link\.length = 2 m<")

    # A completion queue of one overruns when the first two of 16 Writes have ended.
    def test_points_whose_connection_died_say_so_as_the_table_of_the_sweep_does(self):
        self.write("overrun.json", OVERRUN)
        out, _ = self.ndsim("sweep", "overrun.json", "--vary", "hosts.A.cqs.c.depth=1,64", "--vary",
                            "traffic.t.window=16,32", "--out", "swept", exit=1)
        self.assertEqual(out.count("a connection died"), 2)
        page = self.page("swept")
        self.assertNotIn("not as expected", page)
        self.assertNotIn("did not meet their expectations", page)
        self.assertIn('<span class="bad">2 failed.</span>', page)
        titles = self.titles(self.pictures(page)["heatmap-1"])
        self.assertEqual([", traffic.t.goodput = a connection died" in title for title in titles],
                         [True, True, False, False])

    def test_the_head_has_the_presets_the_command_and_what_is_set(self):
        _, page = self.sweep("traffic.t.size,traffic.t.window=64 B:1,4 KiB:8", "nic.mtu=1024,4096")
        self.assertIn("preset B, 4 points;", page)
        command = html.unescape(re.search("ndsim 0.1.0: <code>(.*?)</code>", page)[1])
        self.assertTrue(command.endswith(" --vary 'traffic.t.size,traffic.t.window=64 B:1,4 KiB:8' "
                                         "--vary nic.mtu=1024,4096"), command)
        self.assertRegex(page, "<summary>[0-9]+ parameters set by the scenario or the command line</summary>")

    def test_pointing_at_a_point_says_both_figures_with_their_units(self):
        rows, page = self.sweep("traffic.t.window=1,2")
        first = int(rows[0]["traffic.t.goodput [bps]"]) / 1e9
        curve = self.curves(page)["curve-1"]
        self.assertEqual((curve["x"]["label"], curve["y"]["label"]), ("traffic.t.window", "traffic.t.goodput [Gbps]"))
        self.assertEqual(curve["series"][0]["name"], "traffic.t.goodput")
        self.assertEqual(curve["series"][0]["points"][0], [1, first])

    def test_two_axes_have_a_map_of_what_bound_each_point(self):
        rows, page = self.sweep("traffic.t.window=1,64", "nic.mtu=1024,4096")
        titles = self.titles(self.pictures(page)["bound-map"])
        expected = []
        for each in rows:
            where = f"traffic.t.window = {each['traffic.t.window']}, nic.mtu = {each['nic.mtu']}, "
            bound = each["bound_by"]
            # A point that something bound has a strip of that limit's colour, too, with the same title.
            expected += [where + f"bound by {bound}"] * 2 if bound else [where + "nothing bound it"]
        self.assertEqual(titles, expected)
        self.assertTrue(any(each["bound_by"] for each in rows), rows)

    def test_parameters_that_change_together_have_a_curve_for_each_value_of_the_first(self):
        _, page = self.sweep("traffic.t.size,traffic.t.window=64 B:1,64 B:2,64 B:8,4 KiB:1,4 KiB:8")
        curve = self.curves(page)["curve-1"]
        self.assertEqual({series["name"]: [x for x, _ in series["points"]] for series in curve["series"]},
                         {"traffic.t.size = 64 B": [1, 2, 8], "traffic.t.size = 4 KiB": [1, 8]})
        self.assertEqual(curve["x"]["label"], "traffic.t.window")
        self.assertIn("5 points;", page)

    def test_one_axis_has_no_heatmap(self):
        _, page = self.sweep("traffic.t.window=1..4*2")
        self.assertEqual(re.findall("<h2 id=.*?>(.*?)</h2>", page), ["Curves", "Points"])
        self.assertIn("3 points; traffic.t.window: 3 values.", page)

    def test_senders_into_one_have_curves_of_all_the_slowest_and_the_fastest(self):
        # As in sweep_test.py: 1.05 MB under way, of which 256 KiB drop most.
        hosts = ", ".join(f'"S{n}": {{ "nic": {{ "timeout_code": 6 }} }}' for n in range(4))
        traffic = ", ".join(f'"t{n}": {{ "from": "S{n}", "to": "R.q{n}", "size": "64 KiB", "count": 60, "window": 4 }}'
                            for n in range(4))
        file = self.write("four.json", f'{{ "hosts": {{ {hosts}, "R": {{}} }}, "switches": {{ "s0": {{}} }}, '
                                       f'"traffic": {{ {traffic} }} }}')
        self.ndsim("sweep", file, "--vary", "switch.buffer=256 KiB,2 MiB", "--out", "swept")
        page = self.page("swept")
        names = [series["name"] for series in self.curves(page)["curve-1"]["series"]]
        for name in ("run.to_R.goodput", "run.to_R.slowest", "run.to_R.fastest"):
            self.assertIn(name, names)
        self.assertNotIn("traffic.t0.goodput", page)
        rows = re.findall(r"<tr><td.*?>(256 KiB|2 MiB)</td>(.*?)</tr>", page)
        self.assertEqual(["*" in row for _, row in rows], [True, False])
        self.assertIn("* not steady: the halves of a measured window differ,", page)

    def test_values_that_are_words_have_their_names_on_the_axis(self):
        _, page = self.sweep("profile=documented,infiniband")
        self.assertEqual(self.curves(page)["curve-1"]["x"]["names"], ["documented", "infiniband"])

    def test_a_sweep_that_is_not_done_is_refused(self):
        self.sweep("traffic.t.window=1,2")
        (self.folder / "swept/sweep.csv").unlink()
        _, err = self.ndsim("report", "swept", exit=2)
        self.assertIn("swept/sweep.csv does not exist: the sweep is not done", err)

    def test_the_same_sweep_makes_the_same_bytes_anywhere(self):
        _, page = self.sweep("traffic.t.window=1,2")
        shutil.move(self.folder / "swept", self.folder / "moved")
        self.assertEqual(self.page("moved"), page)


class Advice(ReportTest):
    @staticmethod
    def step(depth, reached, **more):
        return {"depth": depth, "at_most_bps": 1, "verdict": "met" if reached == 100 else "missed",
                "reached_ppm": reached * 10_000, "goodput_bps": reached * 10**9, "found": [f"{reached} % of line rate"], "why": "", "mean_latency_ps": 1,
                "bound_by": [{"what": "A SQ", "parameter": "hosts.A.nic.sq.depth"},
                             {"what": "A SQ", "parameter": "hosts.A.nic.sq.depth"}], **more}

    def dimension(self, curve, **more):
        return {"name": "A SQ", "paths": ["hosts.A.nic.sq.depth"], "step": None, "scenario_has": 128, "smallest": 5,
                "lowest": 1, "payload_each": 4096, "curve": curve, **more}

    def made_advice(self, **changes):
        self.write("advice.json", json.dumps({
            "ndsim": "0.1.0", "command": ["ndsim", "advise", "made.json", "--target", "95 % of line rate"],
            "parameters": {"hosts.A.preset": {"value": "C", "origin": "default"},
                           "hosts.A.nic.mtu": {"value": "1024", "origin": "file"}},
            "file": "made.json", "targets": ["95 % of line rate"], "windows_follow_queues": True, "bounds": [],
            "generous": {"verdict": "met", "why": "", "goodput_bps": 100 * 10**9, "bound_by": [{"what": "the wire"}]},
            "dimensions": [self.dimension([self.step(1, 20), self.step(4, 80), self.step(5, 100), self.step(8, 100)])],
            "build": {"depths": {"A SQ": 5}, "safe": {"A SQ": None}, "least_seen": {"A SQ": 5},
                      "below_least_seen": {"A SQ": self.step(4, 80, with_more_of=None)}, "trial": self.step(5, 100), "chip_bytes": 7,
                      "host_bytes": 320},
            "tries": {"seeds": 5}, "assumed": [], **changes}))
        return self.page(".")

    def test_the_knee_is_the_smallest_depth_that_is_enough_and_the_step_below_says_why(self):
        page = self.made_advice()
        self.assertEqual(self.data(page, "rate-1")["marks"], [{"x": 5, "y": 100, "label": "to build: 5"}])
        self.assertEqual(self.curves(page, "rate-1")["measured"], [[1, 20], [4, 80], [5, 100], [8, 100]])
        self.assertNotIn('id="curve-1"', page)  # it would be the same in per cent
        self.assertIn("With 4: 80 % of line rate, bound by A SQ.", page)
        self.assertIn("<td>A SQ</td><td class=\"n\">5</td><td class=\"n\">none</td><td class=\"n\">5</td>"
                      "<td class=\"n\">128</td><td>80 % of line rate, bound by A SQ</td>", page)

    def test_a_depth_that_holds_only_by_itself_is_not_the_one_to_build(self):
        build = {"depths": {"A SQ": 6}, "safe": {"A SQ": 6}, "least_seen": {"A SQ": 6},
                 "below_least_seen": {"A SQ": self.step(5, 90, with_more_of=None)}, "trial": self.step(6, 100),
                 "chip_bytes": 7, "host_bytes": 320}
        # The curve was not measured at 6.
        self.assertEqual(self.data(self.made_advice(build=build), "rate-1")["marks"],
                         [{"x": 5, "y": 100, "label": "enough by itself: 5"}, {"x": 6, "y": 100, "label": "to build: 6"}])

    def data(self, page, figure):
        return json.loads(re.search(rf'<figure id="{figure}">.*?<script[^>]*class="data">(.*?)</script>', page, re.DOTALL)[1])

    def curves(self, page, figure):
        return {series["name"]: series["points"] for series in self.data(page, figure)["series"]}

    def test_a_target_that_is_no_rate_has_a_figure_of_its_own(self):
        page = self.made_advice(targets=["p99 < 5 us"])
        self.assertEqual(self.curves(page, "curve-1")["reached"], [[1, 20], [4, 80], [5, 100], [8, 100]])
        self.assertIn("measured", self.curves(page, "rate-1"))

    def test_littles_line_is_the_formulas_where_it_bounds_the_curve(self):
        steps = [self.step(depth, rate, at_most_bps=depth * 25 * 10**9) for depth, rate in ((1, 20), (4, 80), (5, 100))]
        page = self.made_advice(dimensions=[self.dimension(steps)])
        # 4096 bytes at 25 Gb/s: 32,768 bits in 1.31072 us.
        line = self.curves(page, "rate-1")["Little's law: depth x 4 KiB / 1.311 us (one request alone)"]
        self.assertEqual(line[0], [1, 25])
        for depth, rate in line:
            self.assertAlmostEqual(rate, 25 * depth, places=3)
        # It ends 5 % above the most, 100 Gb/s, at a depth of 4.2.
        self.assertAlmostEqual(line[-1][0], 4.2, places=3)

    def test_littles_line_is_that_of_the_shortest_slot_where_the_formula_is_none(self):
        steps = [self.step(depth, rate, at_most_bps=None) for depth, rate in ((1, 20), (2, 50), (4, 80))]
        page = self.made_advice(dimensions=[self.dimension(steps, payload_each=0)])
        # 20, 25 and 20 Gb/s for each slot.
        line = self.curves(page, "rate-1")["Little's law: depth x 25 Gbps (the slot held for the shortest time)"]
        self.assertEqual(line[0], [1, 25])
        steps[0]["bound_by"] = [{"what": "the wire", "parameter": "links.l0.rate"}]  # no slot was missing
        page = self.made_advice(dimensions=[self.dimension(steps)])
        self.assertNotIn("Little's law: depth", html.unescape(page))

    def test_bounds_of_all_generators_near_the_curve_are_drawn_and_else_what_bound_the_most(self):
        def bound(name, gbps, of_all=True):
            return {"what": name, "rate_bps": gbps * 10**9, "of_all": of_all}
        page = self.made_advice(bounds=[bound("lane", 110), bound("far", 151), bound("of one", 105, False)])
        curves = self.curves(page, "rate-1")
        self.assertEqual(curves["bound: lane"], [[1, 110], [8, 110]])
        self.assertFalse({"bound: far", "bound: of one"} & set(curves))
        curves = self.curves(self.made_advice(), "rate-1")
        self.assertEqual(curves["with enough of everything, bound by the wire"], [[1, 100], [8, 100]])

    def test_the_head_has_the_preset_the_command_and_what_is_set(self):
        page = html.unescape(self.made_advice())
        self.assertIn("Targets: 95 % of line rate; preset C.", page)
        self.assertIn("ndsim 0.1.0: <code>ndsim advise made.json --target '95 % of line rate'</code>", page)
        self.assertIn("<summary>1 parameter set by the scenario or the command line</summary>", page)

    def test_the_search_itself_writes_what_the_page_needs(self):
        self.ndsim("advise", self.small, "--target", "1 % of line rate", "--seeds", "0", "--out", "advice")
        page = html.unescape(self.page("advice"))
        self.assertIn("<code>ndsim advise small.json --target '1 % of line rate' --seeds 0</code>", page)
        measured = self.curves(page, "rate-1")["measured"]
        for name, line in self.curves(page, "rate-1").items():
            if name.startswith("bound: "):
                self.assertTrue(all(rate <= line[0][1] * 1.001 for _, rate in measured), name)

    def test_a_size_says_its_steps(self):
        page = self.made_advice(dimensions=[self.dimension([self.step(4, 80), self.step(5, 100)], step="4 KiB")])
        self.assertIn("<td>A SQ, in steps of 4 KiB</td>", page)

    def test_without_depths_that_are_enough_it_says_why(self):
        page = self.made_advice(dimensions=[], build=None, generous={"verdict": "missed", "why": "the wire is full"})
        self.assertIn("No depths are enough: the wire is full", page)

    def test_a_depth_that_more_of_another_breaks_is_told_with_that(self):
        step = self.step(4, 84, with_more_of={"name": "A read tags", "depth": 64})
        page = self.made_advice(build={"depths": {"A SQ": 5}, "safe": {"A SQ": None}, "least_seen": {"A SQ": 5},
                                       "below_least_seen": {"A SQ": step}, "trial": self.step(5, 100), "chip_bytes": 7,
                                       "host_bytes": 320})
        self.assertIn("<td>84 % of line rate, bound by A SQ, with A read tags 64</td>", page)

    def test_what_is_open_says_in_how_long_a_run(self):
        step = {**self.step(4, 99, with_more_of=None), "verdict": "open", "times_as_long": 4}
        page = self.made_advice(build={"depths": {"A SQ": 5}, "safe": {"A SQ": None}, "least_seen": {"A SQ": 5},
                                       "below_least_seen": {"A SQ": step}, "trial": self.step(5, 100), "chip_bytes": 7,
                                       "host_bytes": 320})
        self.assertIn("<td>99 % of line rate (open, not decided in a run 4 times as long, too), bound by A SQ</td>", page)
        page = self.made_advice(dimensions=[], build=None, generous={"verdict": "open", "why": "99 %", "times_as_long": 4})
        self.assertIn("It is open whether any depths are enough: 99 %, not decided in a run 4 times as long, too", page)
        estimate = {"parameter": "nic.x", "value": "2", "low": "1", "high": "4", "smallest_at_low": {"A SQ": None},
                    "smallest_at_high": {"A SQ": None}, "open_at_low": True, "open_at_high": False}
        page = self.made_advice(assumed=[estimate])
        self.assertIn("<td>A SQ open</td>", page)
        self.assertIn("<td>A SQ not reached</td>", page)

    def test_an_advice_of_another_version_is_refused(self):
        self.write("advice.json", '{"targets": []}')
        _, err = self.ndsim("report", ".", exit=2)
        self.assertIn("./advice.json is not what this version of ndsim advise writes; run it again", err)
