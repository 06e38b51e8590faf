# Tests the table of statuses that "ndsim run" prints.
# SPDX-License-Identifier: Apache-2.0
import json

from support import LIBRARY, STREAM, CliTest


def rows_of(out):
    """The table's rows, as lists of cells without empty ones."""
    table = out.partition("in the order in which software got them\n")[2].partition("\n\n")[0]
    return [line.split() for line in table.splitlines()[1:]]


class Statuses(CliTest):
    def test_statuses_are_told_in_the_order_in_which_software_got_them(self):
        # The file says which statuses there are: A's first connect finds no listener, its second one is rejected, the
        # third one is accepted; the flush cancels two receives; A disconnects, B hears of that and follows.
        out, _ = self.ndsim("run", LIBRARY / "connection-steps.json")
        rows = [row[2:] for row in rows_of(out)]
        self.assertEqual(rows, [
            ["A.early", "A.q0", "connect", "connection_refused"],
            ["programs.B[1]", "B.q0", "reject", "success"],
            ["A.unwanted", "A.q0", "connect", "connection_refused"],
            ["A.welcome", "A.q0", "connect", "success"],
            ["B.accepts", "B.q0", "accept", "success"],
            ["A.read[0]", "A.q0", "read", "success"],
            ["A.read[1]", "A.q0", "read", "success"],
            ["programs.A[7]", "A.q0", "flush", "success"],
            ["A.r[0]", "A.q0", "receive", "cancelled"],
            ["A.r[1]", "A.q0", "receive", "cancelled"],
            ["programs.B[3]", "B.q0.disconnect", "wait", "success"],
            ["programs.B[4]", "B.q0", "disconnect", "success"],
            ["programs.A[9]", "A.q0", "disconnect", "success"],
        ])
        times = [float(row[0]) for row in rows_of(out)]
        self.assertEqual(times, sorted(times))
        with open(self.folder / "out" / "connection-steps" / "result.json", encoding="utf-8") as file:
            statuses = json.load(file)["statuses"]
        self.assertEqual((statuses["all"], statuses["failed"]), (13, 4))  # two refused, two cancelled
        self.assertEqual([[each["request"], each["queue"], each["operation"], each["status"]]
                          for each in statuses["shown"]], rows)
        self.ndsim("report", "out/connection-steps", "-o", "page.html")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertIn("<h3>Statuses, in the order in which software got them</h3>", page)
        self.assertIn("<td>connection_refused</td>", page)

    def test_ndspi_1_has_a_result_of_the_window_before_that_of_the_receive(self):
        out, _ = self.ndsim("run", LIBRARY / "two-results.json")
        told = [row[2:] for row in rows_of(out) if row[2] in ("B.w", "B.told")]
        self.assertEqual(told, [["B.w", "B.q0.receive", "invalidation", "success"],
                                ["B.told", "B.q0", "receive", "success", "64"]])

    def test_generators_do_not_crowd_out_what_programs_got(self):
        file = self.write("mixed.json", """{
            "hosts": { "A": { "buffers": { "tx": { "size": "64 B" } } }, "B": { "buffers": { "rx": { "size": "64 B" } } } },
            "traffic": { "t": { "from": "A.q1", "to": "B.q1", "count": 100 } },
            "programs": { "A": [ { "sleep": "50 us" }, { "post": "send", "buffer": "tx", "as": "s" }, { "poll": "q0.send" },
                                 { "moderate": "q0.send", "count": 4 } ],
                          "B": [ { "post": "receive", "buffer": "rx", "as": "r" }, { "poll": "q0.receive" } ] } }""")
        out, _ = self.ndsim("run", file)
        self.assertEqual([row[2] for row in rows_of(out)], ["B.r", "A.s", "programs.A[3]"])

    def test_a_refused_post_has_the_name_of_its_operation_as_a_completion_has(self):
        # The send queue has one slot, so the second post finds none; nobody polls the first.
        file = self.write("refused.json", """{
            "hosts": { "A": { "buffers": { "tx": { "size": "64 B" } }, "qps": { "q0": { "sq": { "depth": 1 } } } },
                       "B": { "memory": { "w": {} }, "buffers": { "rx": { "size": "64 B" } } } },
            "programs": { "A": [ { "post": "send_and_invalidate", "buffer": "tx", "invalidates": "B.w", "count": 2 } ],
                          "B": [ { "sleep": "1 us" } ] } }""")
        out, _ = self.ndsim("run", file, exit=(0, 1))
        self.assertEqual([row[4:] for row in rows_of(out)], [["send", "no_more_entries"]])

    def test_a_socket_tells_of_its_calls_and_not_of_the_requests_beneath(self):
        out, _ = self.ndsim("run", LIBRARY / "sockets.json")
        rows = [row[2:] for row in rows_of(out)]
        self.assertEqual([row[0] for row in rows if row[1] == "B.q0"], ["B.all", "B.block", "B.end"])
        self.assertIn(["B.block", "B.q0", "receive", "success", "524288"], rows)
        self.assertIn(["B.end", "B.q0", "receive", "success", "0"], rows)

    def test_statuses_of_many_messages_are_told_only_if_they_are_failures(self):
        out, _ = self.ndsim("run", STREAM)
        self.assertNotIn("software got them", out)
        # 40 receives and no message: the disconnect cancels them, and so many do not fit.
        file = self.write("cancelled.json", """{ "hosts": { "A": {}, "B": { "buffers": { "rx": { "size": "64 B" } } } },
            "programs": { "A": [ { "sleep": "100 us" }, { "disconnect": "q0" } ],
                          "B": [ { "post": "receive", "buffer": "rx", "count": 40 }, { "disconnect": "q0" },
                                 { "poll": "q0.receive", "count": 40 } ] } }""")
        out, _ = self.ndsim("run", file)
        # 40 completions and two disconnects
        self.assertIn("Failures: 40 of 42 statuses, in the order in which software got them\n", out)
        self.assertIn("\n  and 8 more\n", out)
