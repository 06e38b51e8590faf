# Tests the account "context" of requests whose acknowledgement finds no context in the NIC.
# SPDX-License-Identifier: Apache-2.0
import csv
import json

from support import CliTest

WRITES = [{"post": "write", "qp": qp, "buffer": "tx", "size": "64 B", "to": "B.rx", "flags": ["inline"], "as": name}
          for qp, name in (("q1", "w1"), ("q0", "w0"))]
SCENARIO = {
    "hosts": {"A": {"qps": {"q0": {"connect": "B.q0"}, "q1": {"connect": "B.q1"}}, "buffers": {"tx": {"size": "4 KiB"}}},
              "B": {"qps": {"q0": {}, "q1": {}}, "buffers": {"rx": {"size": "4 KiB"}}}},
    "programs": {"A": [*WRITES, {"poll": "q1.send"}, {"poll": "q0.send"}]},
    "links": {"l0": {"between": ["A", "B"], "length": "100 m"}}}


class ContextAccount(CliTest):
    def rows(self, contexts):
        self.write("s.json", json.dumps(SCENARIO))
        self.ndsim("run", "s.json", "--set", f"hosts.A.nic.qp_context_entries={contexts}", "--out", "o", "-q")
        with open(self.folder / "o" / "completions.csv", encoding="utf-8") as file:
            return {row["label"]: row for row in csv.DictReader(file)}

    def test_an_acknowledgement_waits_for_the_context_that_another_queue_pair_has_evicted(self):
        # q0's doorbell evicts q1's context, and its own is evicted by the acknowledgement of q1. Each comes back with
        # a read of 256 B: 24 B of request, 135 ns, DRAM in 120 + 80 ns, 276 B of completion, 135 ns; at 0.0668 ns a
        # byte of the link (8 / (128 x 128/130 x 0.95)) that is 470 + 300 x 0.0668 = 490.05 ns.
        few, enough = self.rows(1), self.rows(2)
        self.assertEqual(enough["A.w1"]["context_ps"], "0")
        for name in ("A.w1", "A.w0"):
            self.assertEqual(few[name]["ack_return_ps"], enough[name]["ack_return_ps"])
        self.assertAlmostEqual(int(few["A.w1"]["context_ps"]) / 1000, 490.05, delta=0.01)
        self.assertAlmostEqual(int(few["A.w0"]["context_ps"]) / 1000, 2 * 490.05, delta=0.02)  # its doorbell, too
