# Tests ndsim advise: runs are long enough, and the depths with which it begins are deep enough.
# SPDX-License-Identifier: Apache-2.0
import re
import shlex

from support import CliTest

# B takes a message of 4 KiB each 666.25 ns: 60 ns of poll, 500 ns of WQE, 100 ns of doorbell, and a sixteenth of 100 ns
# for the consumer index; that is 49.18 Gb/s, 50.2 % of the wire's 98.04. The 512 receives posted ahead of 600 messages
# let the wire run at its own rate for a while.
SLOW = """{ "hosts": { "A": {}, "B": { "cpu": { "wqe_build": "500 ns" } } },
            "traffic": { "t": { "from": "A", "to": "B", "size": "4 KiB", "count": 600 } } }"""


class AdviseLength(CliTest):
    def setUp(self):
        super().setUp()
        self.write("slow.json", SLOW)

    def test_a_rate_that_only_receives_posted_ahead_reach_is_missed(self):
        said = self.envelope("advise", "slow.json", "--target", "90 % of line rate", exit=1)["result"]
        self.assertEqual(said["generous"]["verdict"], "missed")
        self.assertEqual(said["generous"]["found"], ["50.2 % of line rate"])
        # Ten times a window of 256; 50 times 512 receives are ten times as much.
        self.assertEqual(said["generous"]["times_as_long"], 10)

    def test_a_receiver_that_is_too_slow_needs_more_receives_than_any_number(self):
        _, err = self.ndsim("advise", "slow.json", "--set", "traffic.t.credits=false", "--set", "nic.overflow=rnr",
                            "--target", "no RNR", exit=1)
        self.assertRegex(err, r"^ndsim: no depths are enough: with more than enough of everything it is "
                              r"B\.nic\.responder\.rnr_naks \d+, wanted no RNR; bound by B RQ ")

    # There and back take 100 us. 95 % of 97.66 Gb/s, the payload rate of Writes of 4 KiB, are 283 of them in that time, more
    # than the 256 with which the search begins. The rest of the way takes less than 5 us.
    def test_a_long_cable_needs_more_than_the_search_begins_with(self):
        self.write("long.json", """{ "hosts": { "A": { "nic": { "rx_buffer": "16 MiB" } }, "B": { "nic": { "rx_buffer": "16 MiB" } } },
            "links": { "l0": { "between": ["A", "B"], "length": "10 km" } },
            "traffic": { "t": { "from": "A", "to": "B", "operation": "write", "size": "4 KiB", "count": 5000 } } }""")
        said = self.envelope("advise", "long.json", "--target", "95 % of line rate", "--seeds", "0")["result"]
        self.assertEqual(said["build"]["trial"]["verdict"], "met")
        self.assertGreaterEqual(said["build"]["depths"]["A SQ"], 283)
        self.assertLess(said["build"]["depths"]["A SQ"], 283 * 1.05)

    # 16 messages of 4 KiB and 16 of 8 KiB are 200 KB, which the switch holds; the windows of a search, 4 MiB each, it does
    # not, and one of them alone neither.
    def test_a_scenario_that_holds_as_it_is_is_named_if_too_much_of_two_depths_is_worse(self):
        self.write("switch.json", """{ "hosts": { "S0": {}, "S1": {}, "R": {} }, "switches": { "s0": { "buffer": "256 KiB" } },
            "traffic": { "t0": { "from": "S0", "to": "R.q0", "operation": "write", "size": "4 KiB", "count": 1500 },
                         "t1": { "from": "S1", "to": "R.q1", "operation": "write", "size": "8 KiB", "count": 750 } } }""")
        words = ("advise", "switch.json", "--target", "95 % of line rate", "--seeds", "1")
        for hold in ((), ("--hold", "hosts.S0.nic.sq.depth=128")):  # a window is as large as a queue that is held
            _, err = self.ndsim(*words, *hold, exit=1)
            self.assertRegex(err, r"^ndsim: too much is worse: .*, but the scenario as it is holds: keep what it has, "
                                  r"--hold traffic\.t0\.window --hold traffic\.t1\.window\n$")

    # Four messages outstanding need no more than four completions. But with a queue of four the core stores its index with
    # each poll, 40 ns for each message of 400 ns; with 64 it does so for every sixteenth poll.
    def test_a_queue_of_completions_is_larger_where_the_least_safe_one_costs_too_many_stores(self):
        self.write("small.json", """{ "hosts": { "A": {}, "B": {} }, "traffic": { "t": { "from": "A", "to": "B",
            "operation": "write", "size": "64 B", "inline": true, "count": 4000, "window": 4 } } }""")
        words = ("advise", "small.json", "--jitter", "0 ns", "--seeds", "1", "--target")
        few = self.envelope(*words, "message rate >= 2.2 M/s")["result"]["build"]
        self.assertEqual(few["depths"]["A CQ"], 4)
        more = self.envelope(*words, "message rate >= 2.35 M/s")["result"]["build"]
        self.assertEqual(more["depths"]["A CQ"], 64)
        self.assertEqual(more["trial"]["verdict"], "met")

    # 50 messages are too few for a 99th percentile; four times as many are enough.
    def test_a_percentile_of_too_few_messages_needs_a_longer_run(self):
        self.write("few.json", """{ "hosts": { "A": {}, "B": {} },
            "traffic": { "t": { "from": "A", "to": "B", "size": "4 KiB", "count": 50, "window": 4 } } }""")
        build = self.envelope("advise", "few.json", "--target", "p99 <= 1 ms", "--seeds", "1")["result"]["build"]
        self.assertEqual((build["trial"]["verdict"], build["trial"]["times_as_long"]), ("met", 4))

    # 256 KiB of a switch hold 62 packets of 4178 B: twice 32, of which some are on the cables, and not twice 64.
    def test_less_that_holds_in_every_try_is_named_if_too_much_is_worse(self):
        self.write("switch.json", """{ "hosts": { "S0": {}, "S1": {}, "R": {} }, "switches": { "s0": { "buffer": "256 KiB" } },
            "traffic": { "t0": { "from": "S0", "to": "R.q0", "operation": "write", "size": "4 KiB", "count": 1500 },
                         "t1": { "from": "S1", "to": "R.q1", "operation": "write", "size": "4 KiB", "count": 1500 } } }""")
        words = ("advise", "switch.json", "--target", "95 % of line rate", "--seeds", "1")
        _, err = self.ndsim(*words, exit=1)
        self.assertRegex(err, r"^ndsim: too much is worse: .* but S0 \.\. S1 SQ = 32 holds with more than enough of all else: "
                              r"give it with --hold\n$")
        out, _ = self.ndsim(*words, "--hold", "nic.sq.depth=32", exit=0)
        # The command that it gives runs what it says.
        command = shlex.split(re.search(r"\n  To run it: ndsim (run .*)\n", out)[1])
        self.assertIn("hosts.S1.nic.cq.depth=32", command)
        self.ndsim(*command, "--out", "built")
        metrics = self.result("built")["metrics"]
        both = metrics["traffic.t0.shared_goodput"]["value"] + metrics["traffic.t1.shared_goodput"]["value"]
        self.assertGreater(both, 0.95 * 97.66e9)
        self.assertEqual(metrics["S0.nic.completer.timeouts"]["value"], 0)

    def test_a_run_tells_that_polls_fall_behind(self):
        out, _ = self.ndsim("run", "slow.json", "--set", "traffic.t.count=1000")
        self.assertRegex(out, r"\n  Not steady: data of t arrives at 98\.04 Gbps, but its messages are polled at 49\.\d+ "
                              r"Gbps\. Send more messages\n  \(count\) to see which of the rates lasts\.\n")
        self.assertNotIn("teady", self.ndsim("run", "slow.json", "--set", "traffic.t.count=26000")[0])
