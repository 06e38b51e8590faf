# Tests "ndsim run": it tells of generators whose rates do not last, or that had no part in what was measured.
# SPDX-License-Identifier: Apache-2.0
from support import CliTest


class Steady(CliTest):
    # 4 KiB take 334 ns of the wire.
    def test_an_open_loop_that_gets_more_than_it_serves_is_told(self):
        self.write("open.json", """{ "hosts": { "A": {}, "B": {} }, "traffic": { "t": { "from": "A", "to": "B",
          "operation": "write", "window": 64, "count": 2000, "arrivals": "fixed", "interval": "400 ns" } } }""")
        told = "Not steady: the latencies of an open loop grow. Its messages arrive faster than they are served."
        self.assertNotIn("teady", self.ndsim("run", "open.json")[0])
        self.assertIn(told, self.ndsim("run", "open.json", "--set", "traffic.t.interval=300 ns")[0])
        _, err = self.ndsim("advise", "open.json", "--set", "traffic.t.interval=300 ns", "--target", "p99 < 1 ms", exit=1)
        self.assertIn("traffic.t.steady 0: messages arrive faster than they are served", err)

    def test_a_generator_that_is_done_before_the_others_are_warm_is_named(self):
        # 200 messages of 64 KiB take 2 ms; those every 20 us warm up in 40 ms.
        file = self.write("late.json", """{ "hosts": { "A": {}, "B": {}, "R": {} }, "switches": { "s0": {} }, "traffic": {
            "early": { "from": "A", "to": "R", "size": "64 KiB", "count": 200 },
            "late": { "from": "B", "to": "R.q1", "size": "64 KiB", "count": 20000, "think_time": "20 us" } } }""")
        out, _ = self.ndsim("run", file, exit=0)
        self.assertIn("\n  early transferred nothing in that time: raise its \"count\"\n", out)
        self.assertNotIn("late transferred", out)
    def test_a_window_in_which_only_late_polls_fall_has_no_goodput(self):
        # 400 messages of 4 KiB take 134 us of the wire. B takes more than 1 us for each, and so 250 us for the first 250.
        file = self.write("polls.json", """{ "hosts": { "A": {}, "B": { "cpu": { "poll_cq": "1 us" } } },
            "traffic": { "t": { "from": "A", "to": "B", "size": "4 KiB", "count": 400 } },
            "measure": { "warmup": 250, "window": 100 } }""")
        out, _ = self.ndsim("run", file)
        self.assertRegex(out, r"\n  t +A\.q0 to B\.q0 .* 0 bps +0 /s  -, NOT STEADY\n")
        self.assertIn("\n  Not steady: no data of t arrives in its measured window; what is polled there had arrived before.\n"
                      "  Send more messages (count).\n", out)
