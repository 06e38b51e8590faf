# Tests ndsim sweep: points, files, the terminal, and what is told when something goes wrong.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import signal
import sqlite3
import time

from support import HANG, SMALL
from sweeps import DEPTHS, LONG, SweepTest


class Points(SweepTest):
    def test_all_combinations_are_run_the_last_axis_fastest(self):
        self.ndsim("sweep", "small.json", "--vary", "traffic.t.window=2,4", "--vary", "nic.mtu=1024,4096")
        rows = self.rows()
        self.assertEqual([(row["point"], row["traffic.t.window"], row["nic.mtu"]) for row in rows],
                         [("0", "2", "1024"), ("1", "2", "4096"), ("2", "4", "1024"), ("3", "4", "4096")])
        # A message of 64 B is one packet with either MTU, and more outstanding ones are faster.
        rates = [int(row["traffic.t.message_rate [/s]"]) for row in rows]
        self.assertEqual(rates[0], rates[1])
        self.assertGreater(rates[2], rates[0])
        self.assertEqual({(row["exit"], row["outcome"]) for row in rows}, {("0", "finished")})

    def test_a_point_is_the_run_with_its_overrides(self):
        self.ndsim("sweep", "small.json", *DEPTHS, "--set", "traffic.t.window=16")
        for row in self.rows():
            self.ndsim("run", "small.json", "--set", "traffic.t.window=16",
                       "--set", f"nic.sq.depth={row['nic.sq.depth']}", "--out", "run")
            metrics = self.result("run")["metrics"]
            self.assertEqual(row["traffic.t.message_rate [/s]"], str(metrics["traffic.t.message_rate"]["value"]))
            self.assertEqual(row["traffic.t.latency.mean [ps]"], str(metrics["traffic.t.latency.mean"]["value"]))

    def test_without_generators_the_table_shows_what_programs_have_timed(self):
        self.write("timed.json", """{
          "hosts": { "A": { "buffers": { "tx": {} } }, "B": { "buffers": { "rx": {} } } },
          "programs": { "A": [ { "time": "both", "do": [ { "post": "write", "buffer": "tx", "to": "B.rx", "count": 2 },
                                                         { "poll": "q0.send", "count": 2 } ] } ] },
          "sweep": [ { "vary": "link.length", "values": ["2 m", "400 m"] } ] }""")
        out, _ = self.ndsim("sweep", "timed.json")
        # Two Writes of 64 KiB are 10.7 us of the wire, the rest is 1.6 us; 398 m more, there and back, are 3.98 us.
        self.assertRegex(out, r"^timed.json\n\n +length +mean +bound by\n +2 m +12\.\d+ us.*\n +400 m +16\.\d+ us")

    def test_linked_parameters_go_together(self):
        self.ndsim("sweep", "small.json", "--vary", "traffic.t.window,nic.sq.depth=2:4,8:16,32")
        self.assertEqual([(row["traffic.t.window"], row["nic.sq.depth"]) for row in self.rows()],
                         [("2", "4"), ("8", "16"), ("32", "32")])

    def test_the_scenario_says_what_to_vary_unless_the_command_line_does(self):
        text = pathlib.Path(self.folder / "small.json").read_text(encoding="utf-8")
        self.write("own.json", text.rstrip()[:-1] +
                   ', "sweep": [ { "vary": "traffic.t.window", "values": "1..4*2" } ] }')
        self.ndsim("sweep", "own.json")
        self.assertEqual([row["traffic.t.window"] for row in self.rows("out/own-sweep")], ["1", "2", "4"])
        self.ndsim("sweep", "own.json", *DEPTHS)
        self.assertEqual(len(self.rows("out/own-sweep")), 5)
        self.ndsim("run", "own.json")  # the scenario itself
        self.ndsim("check", "own.json")

    def test_the_same_result_stands_in_every_file(self):
        self.ndsim("sweep", "small.json", *DEPTHS)
        lines = [json.loads(line) for line in
                 (self.folder / "out/small-sweep/sweep.ndjson").read_text(encoding="utf-8").splitlines()]
        self.assertEqual([line["settings"]["nic.sq.depth"] for line in lines], ["1", "2", "4", "8", "16"])
        tables = sqlite3.connect(self.folder / "out/small-sweep/sweep.sqlite")
        self.addCleanup(tables.close)
        query = ("select metrics.value from metrics join settings using (point) where name = 'traffic.t.message_rate' "
                 "order by point")
        rates = [rate for rate, in tables.execute(query)]
        self.assertEqual(rates, [line["metrics"]["traffic.t.message_rate"]["value"] for line in lines])
        self.assertEqual(rates, [int(row["traffic.t.message_rate [/s]"]) for row in self.rows()])
        bound = tables.execute("select parameter from limits where point = 0 and binds order by rank").fetchall()
        self.assertEqual([name for name, in bound],
                         [limit["parameter"] for limit in lines[0]["limits"] if limit["binds"]])
        for table, count in (("points", 5), ("settings", 5)):
            self.assertEqual(tables.execute(f"select count(*) from {table}").fetchone(), (count,))
        total = sum(sum(ledger["mean_accounts_ps"].values()) for ledger in lines[0]["ledgers"])
        self.assertEqual(tables.execute("select sum(mean_ps) from ledgers where point = 0").fetchone(), (total,))

    def test_a_metric_that_is_asked_for_gets_its_column(self):
        out, _ = self.ndsim("sweep", "small.json", *DEPTHS, "--metric", "A.nic.wqe.cache.high_water")
        self.assertRegex(out, r"depth +high_water +bound by\n")
        self.assertIn("A.nic.wqe.cache.high_water", self.rows()[0])

    def test_metrics_are_known_before_a_point_runs(self):
        _, err = self.ndsim("sweep", "small.json", *DEPTHS, "--metric", "traffic.t.goodptu", exit=2)
        self.assertEqual(err, 'ndsim: --metric: there is no metric "traffic.t.goodptu"; did you mean '
                              '"traffic.t.goodput"?\n')
        # A Write has no receiver that polls: its delivery is a figure of one point of two.
        operations = ("--vary", "traffic.t.operation=send,write")
        out, _ = self.ndsim("sweep", "small.json", *operations, "--metric", "traffic.t.delivery.p50")
        self.assertRegex(out, r"send +[0-9.]+ .s[^\n]*\n +write +- ")
        self.write("delivery.json", SMALL.replace('traffic.t.messages", "at_least": 100',
                                                  'traffic.t.delivery.p50", "at_most": "1 s"'))
        _, err = self.ndsim("sweep", "delivery.json", *operations, "--out", "none", exit=3)
        self.assertEqual(err, 'delivery.json:5:27: expect[0].metric: there is no metric "traffic.t.delivery.p50"; did '
                              'you mean "traffic.t.latency.p50"?\nndsim: 1 problem; nothing was run\n')
        self.assertFalse((self.folder / "none").exists())

    def test_senders_into_one_show_what_they_reach_together_and_marks_where_that_is_not_steady(self):
        # Windows hold 4 x 4 x 64 KiB, 1.05 MB with headers: all of it fits into 2 MiB, and is dropped by 256 KiB. A
        # packet that is missing costs 262 us at least, far more than the 21 us that the buffer takes to empty.
        hosts = ", ".join(f'"S{n}": {{ "nic": {{ "timeout_code": 6 }} }}' for n in range(4))
        traffic = ", ".join(f'"t{n}": {{ "from": "S{n}", "to": "R.q{n}", "size": "64 KiB", "count": 60, "window": 4 }}'
                            for n in range(4))
        self.write("four.json", f'{{ "hosts": {{ {hosts}, "R": {{}} }}, "switches": {{ "s0": {{}} }}, '
                                f'"traffic": {{ {traffic} }} }}')
        out, _ = self.ndsim("sweep", "four.json", "--vary", "switch.buffer=256 KiB,2 MiB")
        # Of 4178 bytes on the lane 4096 are payload, and each sender has a quarter of it: 98.04 and 24.5 Gbps.
        self.assertRegex(out, r"\n +buffer +goodput +slowest +fastest +bound by\n")
        self.assertRegex(out, r"\n +2 MiB +98\.\d+ Gbps +24\.\d+ Gbps +24\.\d+ Gbps +l4_s0_to_R\n")
        self.assertRegex(out, r"\n +256 KiB +[\d.]+ Gbps\* +[\d.]+ \w?bps\* +[\d.]+ Gbps\* ")
        self.assertIn("\n  * not steady: the halves of a measured window differ,", out)
        small, large = self.rows("out/four-sweep")
        parts = lambda row: [int(row[f"traffic.t{n}.shared_goodput [bps]"]) for n in range(4)]
        for row in (small, large):
            self.assertEqual(int(row["run.to_R.goodput [bps]"]), sum(parts(row)))
            self.assertEqual(int(row["run.to_R.slowest [bps]"]), min(parts(row)))
            self.assertEqual(int(row["run.to_R.fastest [bps]"]), max(parts(row)))
        self.assertLess(sum(parts(small)), sum(parts(large)))
        self.assertEqual((small["run.to_R.steady"], large["run.to_R.steady"]), ("0", "1"))
        # The figure of one sender alone is marked likewise, and what is no rate is not.
        out, _ = self.ndsim("sweep", "four.json", "--vary", "switch.buffer=256 KiB,2 MiB",
                            "--metric", "traffic.t0.message_rate", "--metric", "traffic.t0.messages")
        mark = "*" if small["traffic.t0.steady"] == "0" else " "
        self.assertRegex(out, rf"\n +256 KiB +[\d.]+ k/s{re.escape(mark)} +60  ")

    def test_the_table_names_the_limit(self):
        out, _ = self.ndsim("sweep", "small.json", *DEPTHS, "--set", "traffic.t.window=64")
        self.assertRegex(out, r"\n +1 .* A\.qps\.q0\.sq\n")
        said = self.envelope("sweep", "small.json", *DEPTHS, "--set", "traffic.t.window=64")["result"]
        self.assertEqual(said["paths"], ["nic.sq.depth"])
        self.assertEqual(said["points"][0]["bound_by"][0], "A.qps.q0.sq")
        self.assertEqual(said["failed"], 0)


class Failing(SweepTest):
    STALLS = """{ "hosts": { "A": { "nic": { "sq": { "depth": 8 } } }, "B": {} },
      "traffic": { "t": { "from": "A", "to": "B", "size": "64 B", "count": 100, "window": 4 } },
      "limits": { "items": 0 } }"""

    def test_a_point_that_fails_is_told_and_the_rest_goes_on(self):
        self.write("stalls.json", self.STALLS)
        out, err = self.ndsim("sweep", "stalls.json", "--vary", "limits.items=100,0", exit=1)
        self.assertEqual(err, "ndsim: 1 of 2 points failed\n")
        self.assertRegex(out, r"\n  limits.items=100: exit code 5: stopped at a limit: ")
        rows = self.rows("out/stalls-sweep")
        self.assertEqual([(row["exit"], row["outcome"]) for row in rows], [("5", "item_limit"), ("0", "finished")])

    def test_an_expectation_that_is_not_met_is_a_failure(self):
        _, err = self.ndsim("sweep", "small.json", "--vary", "traffic.t.count=99,100", exit=1)
        self.assertEqual(err, "ndsim: 1 of 2 points did not meet their expectations\n")
        self.assertEqual([(row["exit"], row["expectations_met"], row["expectations"]) for row in self.rows()],
                         [("1", "0", "1"), ("0", "1", "1")])

    # A receive's completion queue of two overruns when 64 messages come, and then nothing reaches 1 Gb/s.
    def test_a_dead_connection_is_told_even_if_an_expectation_is_not_met_either(self):
        self.write("overrun.json", """{ "hosts": { "A": {},
                "B": { "cqs": { "c": {} }, "qps": { "q0": { "receive_cq": "c" } } } },
            "traffic": { "t": { "from": "A", "to": "B", "size": "64 B", "count": 2000, "window": 64 } },
            "expect": [ { "metric": "traffic.t.goodput", "at_least": "1 Gbps" } ] }""")
        out, err = self.ndsim("sweep", "overrun.json", "--vary", "hosts.B.cqs.c.depth=2,1024", exit=1)
        self.assertEqual(err, "ndsim: 1 of 2 points failed\n")
        self.assertIn("a connection died", out)
        self.assertIn("depth=2: exit code 1: 1 of 1 expectations was not met; a connection ended by an error that no "
                      "expectation asks for: ", out)
        self.assertEqual([(row["expectations_met"], row["dead_connections"]) for row in self.rows("out/overrun-sweep")],
                         [("0", "1"), ("1", "0")])

    def test_a_point_whose_process_dies_is_tried_again_the_next_time(self):
        own = os.getpid()
        if not pathlib.Path(f"/proc/{own}/task/{own}/children").exists():
            self.skipTest("/proc does not tell children")
        # Without an expectation of a metric, the first process is that of a point, and not one that looks for metrics.
        self.write("small.json", re.sub(r',\s*"expect".*', "", SMALL))
        process = self.start("sweep", "small.json", "--set", "traffic.t.count=300000", "--vary", "seed=1,2", "-j", "1")
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        deadline = time.monotonic() + HANG
        while not (child := children.read_text().split()):
            self.assertLess(time.monotonic(), deadline)
        os.kill(int(child[0]), signal.SIGKILL)
        out, err = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("seed=1: exit code 4: its process was killed by signal 9", out)
        self.assertEqual([row["exit"] for row in self.rows()], ["4", "0"])
        self.ndsim("sweep", "small.json", "--set", "traffic.t.count=300000", "--vary", "seed=1,2")
        self.assertEqual([row["exit"] for row in self.rows()], ["0", "0"])

    def refuse(self, *words, exit=3, says):
        out, err = self.ndsim("sweep", *words, exit=exit)
        self.assertEqual(out, "")
        self.assertIn(says, err)
        self.assertFalse((self.folder / "out").exists())

    def test_an_axis_of_one_host_may_follow_that_of_all(self):
        self.ndsim("sweep", "small.json", "--vary", "nic.sq.depth=8,16", "--vary", "hosts.A.nic.sq.depth=4,64")
        self.assertEqual(len(self.rows()), 4)

    def test_all_that_is_wrong_is_said_before_anything_runs(self):
        self.refuse("small.json", "--vary", "nic.sq.depth=0,1,99999",
                    says="--vary: nic.sq.depth: expected 1 .. 32768, got 0\n"
                         "--vary: nic.sq.depth: expected 1 .. 32768, got 99999\nndsim: 2 problems; nothing was run\n")
        self.refuse("small.json", "--vary", "nic.sq.dept=1,2", says='did you mean "nic.sq.depth"?')
        self.refuse("small.json", "--vary", "nic.sq.depth=8..1", says='the range "8..1" does not reach its end')
        self.refuse("small.json", "--vary", "seed=1", "--vary", "seed=2", says="--vary: seed: is varied twice")
        # What is given later counts: the first axis would change nothing.
        self.refuse("small.json", "--vary", "hosts.A.nic.sq.depth=4,64", "--vary", "nic.sq.depth=8,16",
                    says="--vary: hosts.A.nic.sq.depth: has no effect, as what is varied after it sets it, too")
        self.refuse("small.json", "--vary", "links.l0.length=2 m,10 km", "--vary", "link.length=2 m",
                    says="--vary: links.l0.length: has no effect, as what is varied after it sets it, too")
        self.refuse("small.json", "--vary", "seed=1..1000", "--vary", "traffic.t.window=1..1001",
                    says="the sweep has more than 1000000 points")
        self.refuse("small.json", exit=2, says='small.json has no "sweep"; say what to vary')
        self.refuse("none.json", "--vary", "seed=1", says="none.json")
        self.refuse("small.json", *DEPTHS, "--shard", "3/2", exit=2, says='such as 2/4, got "3/2"')
        self.refuse("small.json", *DEPTHS, "-j", "0", exit=2, says="-j")
        self.refuse("small.json", *DEPTHS, "--engine", "slurm", "--shard", "1/2", exit=2, says="--shard: with --engine slurm")
        self.refuse("small.json", *DEPTHS, "--tasks", "2", exit=2, says="--tasks: is for --engine slurm only")

    def test_a_bad_value_in_the_scenario_has_its_place(self):
        text = (self.folder / "small.json").read_text(encoding="utf-8")
        self.write("own.json", text.rstrip()[:-1] + ',\n"sweep": [ { "vary": "nic.sq.depth", "values": [0] } ] }')
        self.refuse("own.json", says="own.json:7:12: nic.sq.depth: expected 1 .. 32768, got 0")
        self.refuse("own.json", "--set", "nic.sq.depth=4",
                    says="--set: nic.sq.depth: the file's \"sweep\" varies it (--vary replaces the file's \"sweep\")\n")


class Terminal(SweepTest):
    def test_progress_goes_to_a_terminal_only(self):
        text = self.on_terminal("sweep", "small.json", *LONG, stream="stderr")
        self.assertRegex(text, r"\rsweep  \[=* *\] [0-9.]+ %, ETA \S+, \d+/40 points, \d+ /s")
        _, err = self.ndsim("sweep", "small.json", *DEPTHS)
        self.assertEqual(err, "")
