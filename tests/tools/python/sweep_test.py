# Tests sweeps and advice from Python: rows, columns, questions in SQL, depths and their curves.
# SPDX-License-Identifier: Apache-2.0
import csv
import sqlite3

from support import SMALL, PackageTest, needs

import ndsim

DEPTH = "hosts.A.nic.sq.depth"
CACHE = "A.nic.wqe.cache.high_water"


class Points(PackageTest):
    def test_rates_over_a_depth_rise_until_the_window_is_the_limit(self):
        sweep = ndsim.load(SMALL).sweep({DEPTH: [1, 2, 4, 8]}, jobs=2)
        self.assertEqual((len(sweep), sweep.paths), (4, [DEPTH]))
        self.assertEqual((sweep[DEPTH], sweep["point"]), ([1, 2, 4, 8], [0, 1, 2, 3]))
        rates = sweep["traffic.t.goodput"]
        self.assertLess(rates[0], rates[1])
        self.assertLess(rates[1], rates[2])
        self.assertEqual(rates[2], rates[3])  # four messages are outstanding, so four entries do what eight do
        self.assertEqual(sweep.units["traffic.t.goodput"], "bps")
        self.assertEqual([row["bound_by"] for row in sweep.rows][:2], [["A.qps.q0.sq"]] * 2)
        self.assertEqual(repr(sweep), "<Sweep of stdin: 4 points>")

    def test_a_row_is_what_a_run_of_the_point_says(self):
        scenario = ndsim.load(SMALL)
        for row in scenario.sweep({DEPTH: [1, 4]}).rows:
            run = scenario.override({DEPTH: row[DEPTH]}).run()
            figures = [name for name in row if name.startswith("traffic.t.")]
            self.assertIn("traffic.t.latency.p50", figures)
            self.assertEqual({name: row[name] for name in figures}, {name: run[name] for name in figures})
            self.assertEqual((row["exit"], row["outcome"], row["why"]), (run.exit, run.result["outcome"], ""))

    def test_rows_are_those_of_the_csv(self):
        sweep = ndsim.load(SMALL).sweep({DEPTH: [1, 2], "nic.mtu": [1024, 4096]}, metrics=CACHE, out="points")
        with open("points/sweep.csv", encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        for row, line in zip(sweep.rows, lines, strict=True):
            texts = {name.partition(" [")[0]: text for name, text in line.items()}
            for name in (*sweep.paths, "exit", "outcome", *sweep.units):
                self.assertEqual(str(row[name]), texts[name], name)
        self.assertIn(CACHE, sweep.rows[0])
        self.assertEqual([(row[DEPTH], row["nic.mtu"]) for row in sweep.rows],
                         [(1, 1024), (1, 4096), (2, 1024), (2, 4096)])  # the last one fastest

    def test_a_figure_that_was_not_asked_for_is_in_the_tables(self):
        scenario = ndsim.load(SMALL)
        sweep = scenario.sweep({DEPTH: [1, 2]})
        self.assertNotIn(CACHE, sweep.rows[0])
        self.assertEqual(sweep[CACHE], scenario.sweep({DEPTH: [1, 2]}, metrics=[CACHE])[CACHE])
        with self.assertRaisesRegex(KeyError, f"no metric A.nic.wqe.cache.high_watr; did you mean {CACHE}?"):
            sweep["A.nic.wqe.cache.high_watr"]

    def test_a_figure_that_a_point_does_not_have_is_none(self):
        # A Write has no receiver that polls, so no delivery.
        writes = {"from": "A", "to": "B", "size": "64 B", "count": 100}
        scenario = ndsim.load({"hosts": {"A": {}, "B": {}}, "traffic": {"t": writes}})
        sweep = scenario.sweep({"traffic.t.operation": ["send", "write"]})
        delivery = sweep["traffic.t.delivery.mean"]
        self.assertGreater(delivery[0], 0)
        self.assertIsNone(delivery[1])
        self.assertEqual(set(sweep.rows[0]), set(sweep.rows[1]))
        self.assertEqual(sweep["ledger.B.receive.mean"][1], None)  # out of sweep.sqlite

    def test_questions_in_sql(self):
        sweep = ndsim.load(SMALL).sweep({DEPTH: [1, 2, 4]})
        (best,) = sweep.query("select max(value) as best from metrics where name = ?", ("traffic.t.goodput",))
        self.assertEqual(best, {"best": max(sweep["traffic.t.goodput"])})
        self.assertEqual(sweep.query("select point, value from settings order by point"),
                         [{"point": point, "value": value} for point, value in enumerate(("1", "2", "4"))])
        with self.assertRaises(sqlite3.Error):
            sweep.query("delete from points")

    def test_what_is_varied_together_and_what_the_scenario_varies(self):
        scenario = ndsim.load({**SMALL, "sweep": [{"vary": "traffic.t.window", "values": "1..4*2"}]})
        self.assertEqual(scenario.sweep()["traffic.t.window"], [1, 2, 4])
        linked = scenario.sweep({(DEPTH, "traffic.t.size"): [(1, "64 B"), (2, "1 KiB")]})
        self.assertEqual([(row[DEPTH], row["traffic.t.size"]) for row in linked.rows], [(1, "64 B"), (2, "1 KiB")])

    def test_a_point_that_fails_its_expectation_is_a_row(self):
        scenario = ndsim.load(SMALL)
        sweep = scenario.sweep({"traffic.t.count": [99, 100]})  # 100 are expected
        self.assertEqual((sweep.exit, sweep["exit"]), (1, [1, 0]))
        self.assertEqual(sweep.error, "1 of 2 points did not meet their expectations")
        with self.assertRaises(ndsim.Failed) as raised:
            scenario.sweep({"traffic.t.count": [99, 100]}, check=True)
        self.assertEqual((raised.exception.code, len(raised.exception.result["points"])), (1, 2))
        with self.assertRaises(ndsim.ScenarioError) as wrong:
            scenario.sweep({DEPTH: [0, 1]})
        self.assertEqual([(each.file, each.path) for each in wrong.exception.problems], [("--vary", DEPTH)])
        with self.assertRaises(ndsim.Failed) as nothing:
            scenario.sweep()
        self.assertEqual(nothing.exception.code, 2)

    def test_the_same_folder_knows_what_has_run(self):
        scenario = ndsim.load(SMALL)
        journal = self.folder / "points" / "points.ndjson"
        scenario.sweep({DEPTH: [1, 2]}, out="points")
        before = journal.read_text(encoding="utf-8")
        self.assertEqual(scenario.sweep({DEPTH: [1, 2, 4]}, out="points")[DEPTH], [1, 2, 4])
        after = journal.read_text(encoding="utf-8")
        self.assertTrue(after.startswith(before))
        self.assertEqual(after.count("\n"), before.count("\n") + 1)

    @needs("pandas")
    def test_a_frame_has_the_rows(self):
        sweep = ndsim.load(SMALL).sweep({DEPTH: [1, 2, 4]})
        frame = sweep.frame()
        self.assertEqual(frame.to_dict("records"), sweep.rows)
        self.assertEqual(list(frame.set_index(DEPTH)["traffic.t.goodput"]), sweep["traffic.t.goodput"])


class Advice(PackageTest):
    def test_the_safe_completion_queues_hold_all_that_may_be_outstanding(self):
        advice = ndsim.load(SMALL).advise("no overflow", seeds=1, jobs=2)
        # A has four Sends outstanding, B has posted eight receives.
        self.assertEqual((advice.ok, advice.depths), (True, {"A CQ": 4, "B CQ": 8}))
        self.assertEqual(advice.safe, advice.depths)
        self.assertEqual(set(advice.least_seen), set(advice.depths))
        for name, least in advice.least_seen.items():
            self.assertLessEqual(least, advice.safe[name])

    def test_curves_say_which_depths_are_enough(self):
        scenario = ndsim.load(SMALL)
        # Half of what four outstanding messages reach.
        half = scenario.run()["traffic.t.message_rate"] // 2
        advice = scenario.advise(f"message rate >= {half} /s", seeds=0)
        curve = advice.curve("A SQ")
        depths = [step["depth"] for step in curve]
        self.assertEqual(depths, sorted(depths))
        smallest = next(each["smallest"] for each in advice.result["dimensions"] if each["name"] == "A SQ")
        for step in curve:
            self.assertEqual(step["verdict"], "met" if step["depth"] >= smallest else "missed", step)
        self.assertEqual([row["depth"] for row in advice.rows if row["dimension"] == "A SQ"], depths)
        built = scenario.override(advice.overrides).run()
        self.assertEqual(built.result["scenario"]["parameters"]["hosts.A.nic.sq.depth"]["value"], str(advice.depths["A SQ"]))
        self.assertGreaterEqual(built["traffic.t.message_rate"], half)
        with self.assertRaisesRegex(KeyError, "no depth A QS; did you mean A SQ?"):
            advice.curve("A QS")

    def test_no_depths_are_a_result(self):
        # Four messages of 64 B each 1.6 us, as the window says, are far from 100 Gb/s.
        scenario = ndsim.load(SMALL)
        advice = scenario.advise(["99 % of line rate", "no RNR"], seeds=0, time="60 s", cost={"pcie.tags": 512})
        self.assertEqual((advice.exit, advice.depths, advice.safe, advice.least_seen, advice.overrides), (1, {}, {}, {}, {}))
        self.assertRegex(advice.error, "no depths are enough: .*traffic.t.window = 4")
        self.assertEqual(advice.result["targets"], ["99 % of line rate", "no RNR"])
        with self.assertRaises(ndsim.Failed):
            scenario.advise("99 % of line rate", seeds=0, check=True)
        with self.assertRaises(ndsim.ScenarioError):
            scenario.advise("99 % of lime rate")

    @needs("pandas")
    def test_a_frame_has_the_curves(self):
        advice = ndsim.load(SMALL).advise("no overflow", seeds=1)
        frame = advice.frame()
        self.assertEqual(list(frame[frame.dimension == "A CQ"].depth),
                         [step["depth"] for step in advice.curve("A CQ")])
