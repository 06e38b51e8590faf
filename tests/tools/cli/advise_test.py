# Tests ndsim advise: the depths it finds are enough, one less is not, and it says so when none are.
# SPDX-License-Identifier: Apache-2.0
import json
import signal
import time
import unittest

from support import HANG, LIBRARY, SHARED, CliTest

READS = str(LIBRARY / "reads-over-100m.json")
# 100 % of the wire: 400 Gb/s x 4096 / (4096 + 82 + 4), the response's AETH counted.
WIRE = 400_000_000_000 * 4096 // 4182


class Advise(CliTest):
    def goodput(self, *overrides):
        words = [word for override in overrides for word in ("--set", override)]
        with self.start("run", READS, *words, "--out", "run") as process:
            process.communicate(timeout=HANG)
        self.assertIn(process.returncode, (0, 1))  # whether the scenario's own expectations are met
        metrics = self.result("run")["metrics"]
        return sum(metrics[f"traffic.{name}.goodput"]["value"] for name in ("r0", "r1", "r2"))

    def test_the_depths_it_finds_are_enough_and_one_less_is_not(self):
        said = self.envelope("advise", READS, "--out", SHARED / "reads-over-100m-advice")["result"]
        best = said["together"][0]
        depths = best["depths"]
        self.assertEqual(best["trial"]["verdict"], "met")

        def overrides(changed, by):
            """As ndsim run takes them: what advise says it set."""
            words = []
            for dimension in said["dimensions"]:
                depth = depths[dimension["name"]] - (by if dimension["name"] == changed else 0)
                words += [f"{path}={depth}" for path in dimension["paths"]]
            most = next(d for d in said["dimensions"] if d["name"] == "A SQ")["curve"][-1]["depth"]
            return [*words, *(f"traffic.{name}.count={10 * most}" for name in ("r0", "r1", "r2"))]

        self.assertGreaterEqual(self.goodput(*overrides("", 0)), 0.99 * WIRE)
        shallower = [d["name"] for d in said["dimensions"] if depths[d["name"]] > d["lowest"]]
        self.assertIn("A SQ", shallower)
        for name in shallower:
            with self.subTest(name):
                # Missed, or so close that the 95 % interval does not decide it.
                self.assertLess(self.goodput(*overrides(name, 1)), 0.99 * WIRE * 1.01)
                self.assertNotEqual(best["one_less"][name]["verdict"], "met")
        # Little's law: no fewer messages can be under way than the target's rate times the latency of one by itself.
        queue = next(d for d in said["dimensions"] if d["name"] == "A SQ")
        alone = queue["curve"][0]["mean_latency_ps"]
        least = 0.99 * WIRE * alone / 1e12 / 8 / 4096 / 3
        self.assertGreaterEqual(depths["A SQ"], least)
        self.assertLessEqual(depths["A SQ"], 3 * least + 1)

    def test_one_queue_pair_can_never_get_there(self):
        out, err = self.ndsim("advise", LIBRARY / "one-reader-over-100m.json", exit=1)
        self.assertRegex(err, r"^ndsim: no depths are enough: with more than enough of everything it is [0-9.]+ % of "
                              r"line rate, wanted 99 % of the wire's payload rate; bound by \S")
        # 8 M/s of 4 KiB each, whatever the depths are, and sixteen Reads.
        self.assertRegex(out, r"262\.1 Gbps +A\.nic\.per_qp_rate of all its queue pairs\n")
        self.assertRegex(out, r"16 outstanding reads of each queue pair, the most there can be, each of them for [0-9.]+ us")

    def test_no_point_is_faster_than_littles_law(self):
        said = self.envelope("advise", LIBRARY / "one-reader-over-100m.json", exit=1)["result"]
        held = 0
        for dimension in said["dimensions"]:
            for step in dimension["curve"]:
                if step["at_most_bps"] is not None and step["reached_ppm"] > 0:
                    reached = step["reached_ppm"] / 1e6 * 0.99 * WIRE
                    self.assertLess(reached, 1.001 * step["at_most_bps"], (dimension["name"], step["depth"]))
                    held += 1
        self.assertGreater(held, 20)

    def test_a_latency_target_keeps_the_window(self):
        said = self.envelope("advise", "small.json", "--set", "traffic.t.count=2000", "--target",
                             "p99 < 100 us, no RNR")["result"]
        self.assertFalse(said["windows_follow_queues"])
        self.assertEqual(said["seeds_that_hold"], 5)
        queue = next(d for d in said["dimensions"] if d["name"] == "A SQ")
        self.assertEqual(queue["paths"], ["hosts.A.nic.sq.depth"])
        self.assertEqual(queue["smallest"], 1)  # four messages wait for each other, far less than 100 us

    def test_it_goes_on_where_it_was_interrupted(self):
        words = ("advise", "small.json", "--set", "traffic.t.count=8000", "--target", "50 % of line rate")
        process = self.start(*words, "--out", "cut")
        journal = self.folder / "cut/points.ndjson"
        deadline = time.monotonic() + HANG
        while not journal.exists() or journal.read_text(encoding="utf-8").count("\n") < 5:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(err, "ndsim: interrupted; the same command goes on from here\n")
        self.assertFalse((self.folder / "cut/advice.json").exists())
        answers = []
        for folder in ("cut", "whole"):
            with self.start(*words, "--out", folder) as process:
                process.communicate(timeout=HANG)
            answers.append(json.loads((self.folder / folder / "advice.json").read_text(encoding="utf-8")))
        self.assertEqual(*answers)

    def test_what_is_no_target_is_refused(self):
        _, err = self.ndsim("advise", "small.json", exit=2)
        self.assertIn('small.json has no "target"; say what is to be reached', err)
        _, err = self.ndsim("advise", "small.json", "--target", "fast", exit=3)
        self.assertIn('--target: expected a target such as "95 % of line rate"', err)
        self.write("bad.json", '{ "hosts": { "A": {}, "B": {} },\n  "target": "quick" }')
        _, err = self.ndsim("check", "bad.json", exit=3)
        self.assertIn('bad.json:2:13: target: expected a target such as', err)
        self.write("none.json", '{ "hosts": { "A": {}, "B": {} } }')
        _, err = self.ndsim("advise", "none.json", "--target", "no RNR", exit=2)
        self.assertIn('none.json has no generator ("traffic")', err)


if __name__ == "__main__":
    unittest.main()
