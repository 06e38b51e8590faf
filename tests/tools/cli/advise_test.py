# Tests ndsim advise: the depths it finds are enough, one less is not, and it says so when none are.
# SPDX-License-Identifier: Apache-2.0
import json
import signal
import time

from support import HANG, LIBRARY, SHARED, CliTest

READS = str(LIBRARY / "reads-over-100m.json")
# 100 % of the wire: 400 Gb/s x 4096 / (4096 + 82 + 4), the response's AETH counted.
WIRE = 400_000_000_000 * 4096 // 4182
# For what does not depend on how many depths are searched: all others would take most of the time.
ONLY_SEND_QUEUE = [f"--hold={path}" for path in ("nic.rq.depth", "nic.cq.depth", "nic.rq_prefetch", "nic.wqe_cache", "pcie.tags")]


class Advise(CliTest):
    def built(self, said, scenario, *changed, less=None, least=False):
        """Overrides of a run with the depths that the advice says, or with one less of what is least seen of one."""
        build = said["build"]
        words = [f"--set={text}" for text in said["overrides"]]
        for dimension in said["dimensions"]:
            name = dimension["name"]
            depth = build["least_seen" if least or name == less else "depths"][name] - (1 if name == less else 0)
            words += [f"--set={path}={depth}" for path in dimension["paths"]]
        return [scenario, *words, *changed]

    def with_more_of(self, said, below):
        """Overrides for the depth that breaks the others, if it has more than they need; completion queues grow with it."""
        more = below["with_more_of"]
        if more is None:
            return []
        depths = {d["name"]: d["scenario_has"] for d in said["dimensions"] if d["name"].split()[1] == "CQ"}
        depths[more["name"]] = more["depth"]
        return [f"--set={path}={depths[d['name']]}" for d in said["dimensions"] if d["name"] in depths for path in d["paths"]]

    def run_of(self, *words):
        with self.start("run", *words, "--out", "run") as process:
            process.communicate(timeout=HANG)
        self.assertIn(process.returncode, (0, 1))  # whether the scenario's own expectations are met
        return self.result("run")

    def goodput(self, *words):
        metrics = self.run_of(*words)["metrics"]
        return sum(metrics[f"traffic.{name}.goodput"]["value"] for name in ("r0", "r1", "r2"))

    def test_the_depths_it_finds_are_enough_and_one_less_is_not(self):
        said = self.envelope("advise", READS, "--out", SHARED / "reads-over-100m-advice")["result"]
        build = said["build"]
        self.assertEqual(build["trial"]["verdict"], "met")
        self.assertGreaterEqual(self.goodput(*self.built(said, READS)), 0.99 * WIRE)
        shallower = [d["name"] for d in said["dimensions"]
                     if build["least_seen"][d["name"]] > d["lowest"] and d["name"] != "A CQ"]
        self.assertIn("A SQ", shallower)
        for name in shallower:
            with self.subTest(name):
                # Missed, or so close that the 95 % interval does not decide it.
                below = build["below_least_seen"][name]
                self.assertNotEqual(below["verdict"], "met")
                more = self.with_more_of(said, below)
                self.assertLess(self.goodput(*self.built(said, READS, *more, less=name)), 0.99 * WIRE * 1.01)
        # Windows of 64 are the file's, and held; a queue pair has a completion queue of its own, so as many requests
        # complete there as the send queue holds, if that is less.
        self.assertEqual({each["path"]: each["value"] for each in said["held"]},
                         {f"traffic.r{n}.window": "64" for n in range(3)})
        self.assertEqual(build["depths"]["A CQ"], min(64, build["depths"]["A SQ"]))
        # Other seeds than those of the tries, and software that is late by chance.
        for seed in (101, 102, 103):
            result = self.run_of(*self.built(said, READS, f"--set=seed={seed}", "--set=cpu.poll_jitter=50ns"))
            self.assertEqual(result["dead_connections"], [])
        # Little's law: no fewer messages can be under way than the target's rate times the latency of one by itself.
        queue = next(d for d in said["dimensions"] if d["name"] == "A SQ")
        alone = 3 * 4096 * 8 / queue["curve"][0]["goodput_bps"]
        least = 0.99 * WIRE * alone / 8 / 4096 / 3
        self.assertGreaterEqual(build["depths"]["A SQ"], least)
        self.assertLessEqual(build["depths"]["A SQ"], 3 * least + 1)

    def test_what_is_open_is_neither_recommended_nor_said_to_fail(self):
        # 44 read tags of 512 bytes give 99.0 % of the wire, and 99 % is the bound: no run decides whether one completion
        # less is enough, too.
        words = ["advise", READS, "--out", SHARED / "reads-over-100m-advice"]
        said = self.envelope(*words)["result"]
        build = said["build"]
        below = build["below_least_seen"]["A CQ"]
        self.assertEqual((below["verdict"], below["times_as_long"]), ("open", 4))
        self.assertEqual(build["trial"]["verdict"], "met")  # in every try
        self.assertEqual(build["least_seen"]["B read tags"], 44)
        curves = {dimension["name"]: dimension for dimension in said["dimensions"]}
        queue = {step["depth"]: step["verdict"] for step in curves["A CQ"]["curve"]}  # with all else as built
        self.assertEqual(queue[build["least_seen"]["A CQ"]], "met")
        for name, dimension in curves.items():
            steps = {step["depth"]: step for step in dimension["curve"]}
            self.assertEqual(steps[dimension["smallest"]]["verdict"], "met", name)
            self.assertEqual({step["times_as_long"] for step in steps.values() if step["verdict"] == "open"} - {4}, set())
        out, _ = self.ndsim(*words)
        self.assertRegex(out, r"\n  A CQ .* open: 99\.\d % of line rate \+- \d\.\d %, not decided in a run 4 times as long, too ")
        self.assertIn("\n  Open means that a depth neither holds nor fails: the 95 % interval of its rate contains the bound, in a "
                      "run 4 times as long, too.\n", out)

    def test_a_shared_completion_queue_is_as_deep_as_all_that_complete_there(self):
        pairs = ", ".join(f'"q{n}": {{ "send_cq": "s" }}' for n in range(8))
        traffic = ", ".join(f'"t{n}": {{ "from": "A.q{n}", "to": "B.q{n}", "operation": "write", "count": 300, "window": 128 }}'
                            for n in range(8))
        self.write("eight.json", f'{{ "hosts": {{ "A": {{ "cqs": {{ "s": {{}} }}, "qps": {{ {pairs} }} }}, "B": {{}} }}, '
                                 f'"traffic": {{ {traffic} }}, "target": "no overflow" }}')
        said = self.envelope("advise", "eight.json")["result"]
        # Eight windows of 128 that the file sets.
        self.assertEqual(said["build"]["depths"], {"A CQ": 1024})
        self.assertIsNotNone(said["build"]["below_least_seen"]["A CQ"])
        for seed in (11, 12):
            result = self.run_of(*self.built(said, "eight.json", f"--set=seed={seed}", "--set=cpu.preempt_every=20us"))
            self.assertEqual(result["metrics"]["A.nic.cq.overruns"]["value"], 0)
            self.assertEqual(result["dead_connections"], [])

    def test_a_depth_is_held_if_it_is_set_and_searched_if_it_is_named(self):
        unasked = [f"--hold={path}" for path in ("nic.rq.depth", "nic.rq_prefetch", "nic.wqe_cache")]  # to save their runs
        words = ("advise", "small.json", "--set", "traffic.t.count=1000", "--target", "1 % of line rate", *unasked)
        said = self.envelope(*words, "--hold", "nic.sq.depth=3", "--hold", "pcie.tags", "--out", "held")["result"]
        held = {each["path"]: each["value"] for each in said["held"]}
        self.assertEqual(held["hosts.A.nic.sq.depth"], "3")
        self.assertEqual(held["hosts.A.pcie.tags"], "256")  # preset B's
        self.assertNotIn("A SQ", said["build"]["depths"])
        self.assertEqual(said["build"]["depths"]["A CQ"], 3)  # of a window of 4 three can be posted
        named = self.envelope(*words, "--search", "traffic.t.window", "--search", "rq_fetch_batch", "--hold", "pcie.tags",
                              "--hold", "nic.cq.depth", "--seeds", "0", "--out", "named")["result"]
        queue = next(d for d in named["dimensions"] if d["name"] == "A SQ")
        self.assertIn("traffic.t.window", queue["paths"])
        self.assertIn("B nic.rq_fetch_batch", named["build"]["depths"])
        weighed = self.envelope(*words, "--cost", "pcie.tags=512", "--out", "weighed")["result"]
        tags = next(d for d in weighed["dimensions"] if d["name"] == "A read tags")
        self.assertEqual(tags["cost_each"], 512)
        self.assertIsNotNone(weighed["build"]["one_more"]["A SQ"])
        _, err = self.ndsim(*words, "--cost", "pcie.tags", exit=2)
        self.assertIn('--cost: expected PATH=NUMBER, such as pcie.tags=512, got "pcie.tags"', err)
        _, err = self.ndsim(*words, "--search", "nic.rq.dept", exit=2)
        self.assertIn('--search: the scenario has no parameter "nic.rq.dept"; did you mean "nic.rq.depth"?', err)
        _, err = self.ndsim(*words, "--search", "cpu.poll_cq", exit=2)
        self.assertIn("--search: hosts.A.cpu.poll_cq is not a depth", err)
        _, err = self.ndsim(*words, "--search", "pcie.width", exit=2)  # 1, 2, 4, 8, ...
        self.assertIn("--search: hosts.A.pcie.width takes only some values", err)

    def test_a_held_queue_that_may_overrun_is_told(self):
        out, _ = self.ndsim("advise", "small.json", "--hold", "nic.cq.depth=2", "--target", "no overflow", exit=(0, 1))
        # Four may be outstanding at A; at B as many as preset B's receive queue holds.
        self.assertIn("A.q0.send: its depth of 2 is held, and 4 completions may be outstanding", out)

    def test_when_the_time_is_over_it_says_what_it_has(self):
        words = ("advise", READS, "--target", "50 % of line rate", "--seeds", "40")  # much more than the time allows
        out, _ = self.ndsim(*words, "--time", "2 s", "--out", "short", "--json", exit=(0, 1))
        said = json.loads(out)["result"]
        self.assertTrue(said["out_of_time"])
        if said["build"]:
            self.assertEqual(said["build"]["trial"]["verdict"], "met")
        out, err = self.ndsim(*words, "--time", "0 s", "--out", "none", exit=1)
        self.assertEqual(err, "ndsim: the time ran out before any depths were known to hold; the same command continues "
                              "from here\n")
        self.assertNotIn("With more than enough", out)
        _, err = self.ndsim(*words, "--time", "soon", exit=2)
        self.assertIn("--time: ", err)
        _, err = self.ndsim(*words, "--jitter", "20 ms", exit=2)
        self.assertEqual(err, "ndsim: --jitter: expected 0 ps .. 10 ms, got 20 ms\n")

    def test_more_of_one_depth_does_not_break_the_answer(self):
        # Few read tags serve the messages one behind the other; with many tags three messages travel as a bunch, and the
        # wire rests between two bunches. So three requests are enough with few tags only.
        self.write("bunch.json", '{ "hosts": { "A": {}, "B": {} }, "traffic": { "t": { "from": "A", "to": "B", '
                                 '"size": "16 KiB", "count": 1000 } }, "target": "95 % of line rate" }')
        wire = 100_000_000_000 * 16384 // (4 * 4178)  # four packets with 82 bytes of headers and gaps
        said = self.envelope("advise", "bunch.json")["result"]
        goodput = lambda *words: self.run_of(*words)["metrics"]["traffic.t.goodput"]["value"]
        built = self.built(said, "bunch.json")
        for more in (0, 1, 2, 4, 8):
            tags = said["build"]["depths"]["A read tags"] + 29 * more
            with self.subTest(tags):
                self.assertGreaterEqual(goodput(*built, f"--set=pcie.tags={tags}"), 0.95 * wire)
        below = said["build"]["below_least_seen"]["A SQ"]
        self.assertEqual(below["verdict"], "missed")
        self.assertEqual(below["with_more_of"]["name"], "A read tags")
        fewer = self.built(said, "bunch.json", *self.with_more_of(said, below), less="A SQ")
        self.assertLess(goodput(*fewer), 0.95 * wire)
        out, _ = self.ndsim("advise", "bunch.json")
        self.assertRegex(out, rf"\n  A SQ .* fails: [0-9.]+ % of line rate, with A read tags {below['with_more_of']['depth']} ")
        self.assertIn("\n  They hold, too, with more of any one of them, up to more than enough of it.\n", out)

    def test_bounds_are_told_in_the_unit_of_the_target(self):
        small = '"traffic": { "t": { "from": "A", "to": "B", "size": "64 B", "count": 2000 } }'
        self.write("small64.json", '{ "hosts": { "A": {}, "B": {} }, ' + small + " }")
        words = ("advise", "small64.json", *ONLY_SEND_QUEUE, "--seeds", "0")
        out, _ = self.ndsim(*words, "--target", "message rate >= 1 M/s")
        # 50 ns to build, 75 to push, 60 to poll; at the peer 60 to poll, 50 to build, 100 to ring for a receive.
        self.assertRegex(out, r"\n +5\.405 M/s  A\.cpu: build, store and poll, ")
        self.assertRegex(out, r"\n +4\.762 M/s  B\.cpu: poll, build and ring for receives, ")
        self.assertNotIn("bps", out.partition("What no depth changes")[2].partition("links.")[0])
        out, _ = self.ndsim(*words, "--target", "message rate >= 1 M/s, goodput >= 1 Gbps")
        self.assertRegex(out, r"\n +2\.768 Gbps, 5\.405 M/s  A\.cpu")  # 64 B x 8 / 185 ns

    def test_one_queue_pair_can_never_get_there(self):
        out, err = self.ndsim("advise", LIBRARY / "one-reader-over-100m.json", exit=1)
        self.assertRegex(err, r"^ndsim: no depths are enough: with more than enough of everything it is [0-9.]+ % of "
                              r"line rate, wanted 99 % of the wire's payload rate; bound by \S")
        # 4 KiB in each 185 ns, 8 M/s of 4 KiB each, whatever the depths are, and sixteen Reads.
        self.assertRegex(out, r"177\.1 Gbps +B\.nic\.read_interval and read_gap, for the Reads of all queue pairs\n")
        self.assertRegex(out, r"262\.1 Gbps +A\.nic\.per_qp_rate of all its queue pairs\n")
        self.assertRegex(" ".join(out.split()), r"16 outstanding reads of each queue pair, the most possible, each "
                                                r"taking [0-9.]+ us when alone")

    def test_no_point_is_faster_than_littles_law(self):
        said = self.envelope("advise", LIBRARY / "one-reader-over-100m.json", exit=1)["result"]
        # Completion queues are searched with the rest as built, and nothing is built.
        queue = next(d for d in said["dimensions"] if d["name"] == "A CQ")
        self.assertEqual((queue["curve"], queue["smallest"]), ([], None))
        held = 0
        for dimension in said["dimensions"]:
            for step in dimension["curve"]:
                if step["at_most_bps"] is not None and step["reached_ppm"] > 0:
                    reached = step["reached_ppm"] / 1e6 * 0.99 * WIRE
                    self.assertLess(reached, step["at_most_bps"], (dimension["name"], step["depth"]))
                    self.assertLessEqual(step["goodput_bps"], step["at_most_bps"], (dimension["name"], step["depth"]))
                    held += 1
        self.assertGreater(held, 20)

    def test_a_latency_target_keeps_the_window(self):
        said = self.envelope("advise", "small.json", "--set", "traffic.t.count=2000", "--target",
                             "p99 < 100 us, no RNR")["result"]
        self.assertFalse(said["windows_follow_queues"])
        self.assertEqual(said["tries"], {"seeds": 5, "jitter_ps": 50_000})
        queue = next(d for d in said["dimensions"] if d["name"] == "A SQ")
        self.assertEqual(queue["paths"], ["hosts.A.nic.sq.depth"])
        # Four messages wait for each other, far less than 100 us; the queue holds the window of four.
        self.assertEqual(queue["smallest"], 4)

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
        self.assertEqual(err, "ndsim: interrupted; the same command continues from here\n")
        self.assertFalse((self.folder / "cut/advice.json").exists())
        answers = []
        for folder in ("cut", "whole"):
            with self.start(*words, "--out", folder) as process:
                process.communicate(timeout=HANG)
            answers.append(json.loads((self.folder / folder / "advice.json").read_text(encoding="utf-8")))
        self.assertEqual(*answers)

    def test_what_is_no_target_is_refused(self):
        _, err = self.ndsim("advise", "small.json", exit=2)
        self.assertIn('small.json has no "target"; give one', err)
        _, err = self.ndsim("advise", "small.json", "--target", "traffic.t.godput > 1 Gbps", exit=3)
        self.assertEqual(err, '--target: there is no metric "traffic.t.godput"; did you mean "traffic.t.goodput"?\n'
                              "ndsim: 1 problem; nothing was run\n")
        _, err = self.ndsim("advise", "small.json", "--target", "fast", exit=3)
        self.assertIn('--target: expected a target such as "95 % of line rate"', err)
        self.write("bad.json", '{ "hosts": { "A": {}, "B": {} },\n  "target": "quick" }')
        _, err = self.ndsim("check", "bad.json", exit=3)
        self.assertIn('bad.json:2:13: target: expected a target such as', err)
        _, err = self.ndsim("advise", "small.json", "--target", "no RNR", "--hold", "nic.sq.depth=deep", exit=3)
        self.assertEqual(err, '--hold: nic.sq.depth: expected a whole number, got "deep"\nndsim: 1 problem; nothing was run\n')
        self.write("none.json", '{ "hosts": { "A": {}, "B": {} } }')
        _, err = self.ndsim("advise", "none.json", "--target", "no RNR", exit=2)
        self.assertIn('none.json has no generator ("traffic")', err)
