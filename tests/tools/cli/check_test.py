# Tests what ndsim check foresees: its lines, its JSON, the points of a sweep, and the exit code, which is that of a run.
# SPDX-License-Identifier: Apache-2.0
from support import CliTest

# B takes two of three messages, and waits for a third.
SHORT = """{
  "hosts": { "A": { "buffers": { "m": {} } }, "B": { "buffers": { "m": {} } } },
  "programs": {
    "A": [
      { "sleep": "100 us" },
      { "post": "send", "buffer": "m", "size": "64 B", "count": 3, "as": "s" },
      { "poll": "q0.send", "count": 3 }
    ],
    "B": [
      { "post": "receive", "buffer": "m", "size": "64 B", "count": 2 },
      { "poll": "q0.receive", "count": 2 }
    ]
  },
  "expect": [ { "completion": "A.s[2]", "status": "STATUS" } ]
}
"""

# Sixteen messages at a time, for which four receives are posted at the smallest point.
DEPTHS = """{
  "hosts": { "A": {}, "B": {} },
  "traffic": { "t": { "from": "A", "to": "B", "size": "64 B", "count": 100, "window": 16, "credits": false } },
  "sweep": [ { "vary": "hosts.B.nic.rq.depth", "values": "4..32*2" } ]
}
"""


class Foreseen(CliTest):
    def test_a_sender_that_asks_for_ever_finds_no_receive_posted_or_none_left(self):
        for receives, reason in ((0, "no receive is posted to B.q0"),
                                 (1, "messages before it take all receives of B.q0")):
            posts = '{ "post": "receive", "buffer": "rx" }, ' * receives
            file = self.write("asks.json", """{
                "hosts": { "A": { "buffers": { "tx": { "size": "64 B" } } },
                           "B": { "nic": { "overflow": "rnr", "rnr_retry": 7 }, "buffers": { "rx": { "size": "64 B" } } } },
                "programs": { "A": [ { "sleep": "50 us" }, { "post": "send", "buffer": "tx", "count": 2 },
                                     { "poll": "q0.send", "count": 2 } ],
                              "B": [ %s{ "sleep": "1 us" } ] } }""" % posts)
            out, _ = self.ndsim("check", file, exit=6)
            self.assertIn(reason, out)

    def test_names_the_first_request_that_fails(self):
        short = self.write("short.json", SHORT.replace("STATUS", "io_timeout"))
        out, err = self.ndsim("check", short)
        self.assertEqual(err, "")
        self.assertEqual(out.splitlines(), [
            "short.json: ok, 2 hosts, 2 queue pairs, 2 programs, 0 generators, 3 messages, 1 expectation",
            "",
            "Foreseen",
            "  will  short.json:6:7: programs.A[1], A.q0",
            "        A.s[2] will fail with io_timeout: B posts 2 receives to q0, and this is message 3",
            "        advice: post more receives to B.q0, before the message comes",
        ])
        self.ndsim("run", short)

    def test_an_expectation_of_a_metric_that_there_is_not(self):
        metric = self.write("metric.json", """{ "hosts": { "A": {}, "B": {} },
  "traffic": { "t": { "from": "A", "to": "B", "count": 5 } },
  "expect": [ { "metric": "A.nic.wqe.mesages", "at_least": 5 },
              { "metric": "A.nic.wqe.messages", "at_least": "5 us" } ] }""")
        problems = [
            'metric.json:3:27: expect[0].metric: there is no metric "A.nic.wqe.mesages"; did you mean '
            '"A.nic.wqe.messages"?',
            "metric.json:4:61: expect[1].at_least: A.nic.wqe.messages is a count: expected a whole number without a "
            'unit, got "5 us"']
        for command in ("check", "run"):
            out, err = self.ndsim(command, metric, exit=3)
            self.assertEqual(out, "")
            self.assertEqual(err.splitlines(), [*problems, "ndsim: 2 problems; nothing was run"])
        _, err = self.ndsim("check", metric, "--set", "expect[0].metric=A.nic", exit=3)
        self.assertIn('--set: expect[0].metric: there is no metric "A.nic" (metrics that begin with "A." go on with ',
                      err)

    def test_json(self):
        short = self.write("short.json", SHORT.replace("STATUS", "io_timeout"))
        result = self.envelope("check", short)["result"]
        self.assertEqual(result["foreseen"], [{
            "certainty": "will", "kind": "fails", "file": "short.json", "line": 6, "column": 7,
            "path": "programs.A[1]", "queue": "A.q0", "request": "A.s[2]",
            "what": "A.s[2] will fail with io_timeout: B posts 2 receives to q0, and this is message 3",
            "status": ["io_timeout"], "advice": "post more receives to B.q0, before the message comes"}])
        self.assertEqual(result["not_followed"], [])
        self.assertNotIn("sweep", result)

    def test_an_expectation_that_will_not_be_met(self):
        short = self.write("short.json", SHORT.replace("STATUS", "success"))
        for command in ("check", "run"):
            out, _ = self.ndsim(command, short, exit=1)
        out, _ = self.ndsim("check", short, exit=1)
        self.assertIn("short.json: fails an expectation, ", out)
        self.assertEqual(self.envelope("check", short, exit=1)["error"], "the scenario fails an expectation")

    def test_a_program_that_never_ends(self):
        text = SHORT.replace("STATUS", "io_timeout").replace('"q0.receive", "count": 2', '"q0.receive", "count": 3')
        short = self.write("short.json", text)
        self.ndsim("run", short, exit=6)
        out, _ = self.ndsim("check", short, exit=6)
        self.assertIn("short.json: never ends, ", out)
        self.assertIn("  will  short.json:11:7: programs.B[1]\n        the program of B will never end: it polls "
                      "q0.receive for completion 3, and only 2 come\n", out)

    def test_a_run_that_takes_too_long(self):
        short = self.write("short.json", SHORT.replace("STATUS", "io_timeout"))
        for command in ("check", "run"):
            self.ndsim(command, short, "--set", "limits.time=50 us", exit=5)
        out, _ = self.ndsim("check", short, "--set", "limits.time=50 us", exit=5)
        self.assertIn("short.json: takes longer than limits.time, ", out)
        self.assertIn("  may   short.json:6:7: programs.A[1], A.q0\n", out)

    def test_limits_of_a_queue_pair_are_no_matter_of_timing(self):
        text = SHORT.replace("STATUS", "io_timeout").replace('"as": "s"', '"as": "s", "flags": ["inline"]')
        _, err = self.ndsim("check", self.write("short.json", text), "--set", "hosts.A.nic.inline_max=32", exit=3)
        self.assertIn("short.json:6:", err)
        self.assertIn("64 B are more than inline_max of queue pair q0, 32", err)


class Sweep(CliTest):
    def test_points_are_looked_at_too(self):
        depths = self.write("depths.json", DEPTHS)
        out, _ = self.ndsim("check", depths)
        self.assertEqual(out.splitlines()[1:], [
            "",
            "Also foreseen in the sweep",
            "  may   depths.json:3:21: traffic.t, A.q0",
            "        at 2 of 4 points, first --set hosts.B.nic.rq.depth=4",
            "        message 5 may fail with io_timeout: 4 receives are posted ahead, the window is 16, and there are "
            "no credits",
            "        advice: raise receives or rq.depth of B.q0 to 16, or leave credits on",
        ])
        sweep = self.envelope("check", depths)["result"]["sweep"]
        self.assertEqual((sweep["points"], sweep["checked"]), (4, 4))
        self.assertEqual([(one["points"], one["first"]) for one in sweep["foreseen"]],
                         [(2, ["hosts.B.nic.rq.depth=4"])])

    def test_what_is_foreseen_anyway_is_said_once(self):
        out, _ = self.ndsim("check", self.write("depths.json", DEPTHS), "--set", "traffic.t.receives=2")
        self.assertIn("message 3 may fail", out)
        self.assertIn("Also foreseen in the sweep\n  nothing at 4 points\n", out)

    def test_a_point_that_cannot_run_is_refused(self):
        depths = self.write("depths.json", DEPTHS.replace("4..32*2", "0..4"))
        self.ndsim("check", depths, exit=3)

    def test_of_a_huge_sweep_the_first_points(self):
        text = DEPTHS.replace('"4..32*2" }', '"16..32" }, { "vary": "seed", "values": "1..100" }')
        out, _ = self.ndsim("check", self.write("depths.json", text))
        self.assertIn("  nothing at 1000 points\n  not followed: the other 700 points\n", out)


class Parameters(CliTest):
    def test_shared_receive_queues_are_among_them(self):
        self.write("srq.json", """{ "hosts": { "A": {}, "B": { "nic": { "srq": { "depth": 64 } },
          "srqs": { "s": { "threshold": 3 }, "t": { "depth": 9 } }, "qps": { "q0": { "srq": "s" } } } },
          "programs": { "A": [], "B": [ { "post": "srq_receive", "srq": "s" } ] } }""")
        parameters = self.envelope("check", "srq.json")["result"]["parameters"]
        self.assertEqual(parameters["hosts.B.srqs.s.threshold"], {"value": "3", "origin": "file"})
        self.assertEqual(parameters["hosts.B.srqs.s.depth"], {"value": "64", "origin": "file"})  # the NIC's
        self.assertEqual(parameters["hosts.B.srqs.t.depth"], {"value": "9", "origin": "file"})
        self.assertEqual(parameters["hosts.B.srqs.t.max_sge"]["origin"], "default")
        self.assertEqual(parameters["hosts.B.qps.q0.srq"], {"value": "s", "origin": "file"})
        self.assertNotIn("hosts.A.qps.q0.srq", parameters)

    def test_messages_are_those_to_the_peer(self):
        program = ", ".join(f'{{ "post": "{kind}", "srq": "s" }}' for kind in ("srq_receive", "srq_receive"))
        self.write("srq.json", f"""{{ "hosts": {{ "A": {{}}, "B": {{ "srqs": {{ "s": {{}} }}, "qps": {{ "q0": {{ "srq": "s" }} }} }} }},
          "programs": {{ "A": [ {{ "post": "send" }} ], "B": [ {{ "post": "send" }}, {program} ] }} }}""")
        self.assertEqual(self.envelope("check", "srq.json", exit=1)["result"]["messages"], 2)
