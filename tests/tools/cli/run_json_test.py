# Tests what "ndsim run --json" prints, and result.json.
# SPDX-License-Identifier: Apache-2.0
import json

from support import LIBRARY, NOBODY_SENDS, STREAM, CliTest


class Json(CliTest):
    def test_the_envelope_holds_the_result(self):
        said = self.envelope("run", STREAM)
        result = said["result"]
        self.assertEqual(result["outcome"], "finished")
        self.assertEqual(result["folder"], "out/stream")
        goodput = result["metrics"]["traffic.stream.goodput"]
        self.assertEqual(goodput["unit"], "bps")
        self.assertGreater(goodput["value"], 97 * 10**9)
        self.assertEqual([verdict["met"] for verdict in result["expectations"]], [True, True])
        self.assertEqual(result["files"], ["completions.csv"])

    def test_the_envelope_says_what_went_wrong(self):
        said = self.envelope("run", self.small, "--set", "traffic.t.count=99", exit=1)
        self.assertEqual(said["error"], "1 of 1 expectations was not met")
        self.assertEqual(said["result"]["expectations"][0]["found"], "99")
        self.assertEqual(self.envelope("run", STREAM, "--set", "limits.items=5000", exit=5)["result"]["outcome"],
                         "item_limit")
        self.write("stall.json", NOBODY_SENDS)
        self.assertIn("polls q0.receive", self.envelope("run", "stall.json", exit=6)["error"])

    def test_each_pool_says_what_its_entries_are_and_which_parameter_sizes_it(self):
        for scenario in ("quickstart", "dma-reads", "incast", "srq-threshold"):
            self.ndsim("run", LIBRARY / f"{scenario}.json")
            result = self.result(f"out/{scenario}")
            mark = ".high_water"
            self.assertEqual({name.removesuffix(mark) for name in result["metrics"] if name.endswith(mark)},
                             set(result["pools"]))
            for name, pool in result["pools"].items():
                self.assertTrue(pool["unit"], name)
                self.assertEqual(pool["kept_full"], name.endswith("rq_fetched"), name)
                self.assertIn(pool["parameter"], {"", *result["scenario"]["parameters"]}, name)
                # A packet waits for a context somewhere, without a limit.
                self.assertEqual(pool["parameter"] == "", name + ".capacity" not in result["metrics"], name)
        self.assertEqual(result["pools"]["B.nic.tx.tx_fifo"],
                         {"unit": "bytes", "parameter": "hosts.B.nic.tx_fifo", "kept_full": False})

    def test_declared_queues_are_sized_by_their_own_depth(self):
        self.write("own.json", '{"hosts": {"A": {}, "B": {"cqs": {"c": {}}, "srqs": {"s": {}}, '
                               '"qps": {"q0": {"receive_cq": "c", "srq": "s"}}}},\n'
                               '"traffic": {"t": {"from": "A", "to": "B.q0", "size": "64 B", "count": 3}}}')
        self.ndsim("run", "own.json")
        pools = self.result("out/own")["pools"]
        for pool, parameter in (("B.cqs.c.entries", "hosts.B.cqs.c.depth"), ("B.srqs.s.srq", "hosts.B.srqs.s.depth"),
                                ("B.srqs.s.srq_fetched", "hosts.B.nic.rq_prefetch"),
                                ("A.cqs.q0_send.entries", "hosts.A.nic.cq.depth")):
            self.assertEqual(pools[pool]["parameter"], parameter)

    def test_result_json_has_every_parameter_with_its_origin(self):
        self.ndsim("run", self.small, "--set", "nic.sq.depth=64")
        scenario = self.result("out/small")["scenario"]
        self.assertEqual((scenario["file"], scenario["about"], scenario["seed"]), ("small.json", "a few messages", 1))
        for path, setting in {
                "hosts.A.nic.sq.depth": ("64", "command line"),
                "hosts.A.qps.q0.sq.depth": ("64", "command line"),  # inherited
                "hosts.A.nic.mtu": ("4096", "preset"),
                "hosts.A.qps.q0.max_sge": ("4", "default"),
                "links.l0.rate": ("100 Gbps", "preset"),
                "traffic.t.window": ("4", "file"),
                "traffic.t.size": ("64 B", "file"),
                "limits.time": ("10 s", "default")}.items():
            self.assertEqual(scenario["parameters"][path], dict(zip(("value", "origin"), setting)), path)

    def test_the_scenario_in_result_json_gives_the_same_result(self):
        self.ndsim("run", self.small, "--set", "traffic.t.window=7", "--set", "nic.sq.depth=64", "--out", "first")
        first = self.result("first")
        self.write("again.json", json.dumps(first["scenario"]["written"]))
        self.ndsim("run", "again.json", "--out", "again")
        self.assertEqual(self.result("again")["metrics"], first["metrics"])
