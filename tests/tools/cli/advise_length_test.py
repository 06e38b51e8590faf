# Tests ndsim advise: runs so short that the receives posted ahead hide a slow receiver are no answer.
# SPDX-License-Identifier: Apache-2.0
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

    def test_a_run_tells_that_polls_fall_behind(self):
        out, _ = self.ndsim("run", "slow.json", "--set", "traffic.t.count=1000")
        self.assertRegex(out, r"\n  Not steady: data of t arrives at 98\.04 Gbps, but its messages are polled at 49\.\d+ "
                              r"Gbps\. A longer run is\n  slower\. Send more messages \(count\)\.\n")
        self.assertNotIn("teady", self.ndsim("run", "slow.json", "--set", "traffic.t.count=26000")[0])
