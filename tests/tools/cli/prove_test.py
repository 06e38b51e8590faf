# Tests "ndsim run --prove-limits", on every scenario of the library that has a generator: what is said to bind does, and
# what is not said to does not.
# SPDX-License-Identifier: Apache-2.0
import json
import unittest

from support import LIBRARY, SMALL, CliTest

# Nothing is said to bind.
NOTHING_BINDS = {
    "cq-sizing": "messages arrive at 4 M/s, for which cores and NIC have time",
}

# (scenario, parameter): why its proof is another one than the list of limits makes one expect.
EXCEPTIONS = {
    ("elephants-and-mice", "traffic.mouse.think_time"):
        "no hardware: with less time to think the application asks more often, and each message takes as long as before",
}


def has_generator(scenario):
    text = scenario.read_text(encoding="utf-8")
    return '"traffic":' in text or '"dma":' in text


class Prove(CliTest):
    def proofs(self, scenario, *words):
        """Those of the limits, by parameter, each with `binds`; and the whole result."""
        out, _ = self.ndsim("run", scenario, "--prove-limits", "--json", "--set", "outputs.completions=false", *words,
                            exit=(0, 1))
        result = json.loads(out)["result"]
        return {limit["parameter"]: {**limit["proof"], "binds": limit["binds"]}
                for limit in result["limits"] if "proof" in limit}, result

    def test_what_is_said_to_bind_in_the_library_does(self):
        for scenario in filter(has_generator, sorted(LIBRARY.glob("*.json"))):
            with self.subTest(scenario.stem):
                proofs, _ = self.proofs(scenario)
                self.assertEqual(not any(proof["binds"] for proof in proofs.values()), scenario.stem in NOTHING_BINDS)
                for parameter, proof in proofs.items():
                    expected = ("proved", "proved together") if proof["binds"] else ("no gain",)
                    there_is_no_more = proof.get("why", "").startswith("expected ")
                    self.assertEqual(proof["verdict"] in expected or there_is_no_more,
                                     (scenario.stem, parameter) not in EXCEPTIONS, (parameter, proof))

    def test_a_limit_that_is_raised_by_half_brings_half_as_much_again(self):
        # Two messages of 4 KiB at a time, then three; a message takes the wire 334 ns of about 3 us.
        proofs, result = self.proofs(self.small, "--set", "traffic.t.window=2", "--set", "traffic.t.size=4 KiB",
                                     "--set", "traffic.t.count=400", "--set", "nic.wqe_push_max=0")
        window = proofs["traffic.t.window"]
        self.assertEqual((window["binds"], window["value"], window["verdict"]), (True, "3", "proved"))
        self.assertAlmostEqual(window["goodput_ppm"], 500_000, delta=20_000)
        self.assertNotIn("limits_together", result)

    def test_limits_in_a_row_are_proved_together(self):
        # Sender's and receiver's core take the same time for a message: 50 ns to build, 100 to ring, 60 to poll, and the
        # sixteenth part of a doorbell for the queue's index: 216.25 ns. With a third less for doorbells that is 180.8.
        file = self.write("equal.json", SMALL.replace("64 B", "512 B").replace('"count": 100, "window": 4',
                                                                               '"count": 30000, "window": 64'))
        proofs, result = self.proofs(file)
        for core in "AB":
            proof = proofs[f"hosts.{core}.cpu.mmio_uc"]
            self.assertEqual((proof["binds"], proof["value"], proof["verdict"]), (True, "66.667 ns", "proved together"))
            self.assertLess(abs(proof["goodput_ppm"]), 5_000)
        self.assertAlmostEqual(result["limits_together"]["goodput_ppm"], 196_000, delta=5_000)

    def test_the_text_says_by_how_much_and_result_json_keeps_it(self):
        out, _ = self.ndsim("run", self.small, "--prove-limits", "--set", "traffic.t.window=1")
        self.assertRegex(out, r"\n  binds +traffic\.t\.window = 2 +\+\d+\.\d % +[+-]?\d+\.\d % +proved\n")
        kept = json.loads((self.folder / "out/small/result.json").read_text(encoding="utf-8"))
        self.assertEqual(kept["limits"][0]["proof"]["verdict"], "proved")
        without, _ = self.ndsim("run", self.small, "--set", "traffic.t.window=1")
        self.assertNotIn("Limits tried", without)
        kept = json.loads((self.folder / "out/small/result.json").read_text(encoding="utf-8"))
        self.assertNotIn("proof", kept["limits"][0])

    def test_below_the_limits_of_an_open_loop_nothing_binds_and_nothing_gains(self):
        # A message of 4 KiB each 400 ns on average takes 334 ns of the wire. A faster one makes latencies shorter, and
        # no message more.
        proofs, _ = self.proofs(self.small, "--set", "traffic.t.size=4 KiB", "--set", "traffic.t.count=2000",
                                "--set", "traffic.t.window=64", "--set", "traffic.t.arrivals=poisson",
                                "--set", "traffic.t.interval=400 ns")
        self.assertEqual({(proof["binds"], proof["verdict"]) for proof in proofs.values()}, {(False, "no gain")})
        self.assertLess(proofs["links.l0.rate"]["latency_ppm"], -20_000)

    def test_what_has_no_more_to_try_says_why(self):
        proofs, _ = self.proofs(self.small, "--set", "traffic.t.operation=read", "--set", "traffic.t.window=64",
                                "--set", "traffic.t.count=400", "--set", "nic.read_interval=1 ns",
                                "--set", "cpu.mmio_uc=1 ns", "--set", "cpu.mmio_wc64=1 ns", "--set", "cpu.poll_cq=1 ns",
                                "--set", "cpu.wqe_build=1 ns", "--set", "nic.per_qp_rate=1 G/s")
        reads = proofs["hosts.A.qps.q0.outbound_reads"]
        self.assertTrue(reads["binds"])
        self.assertEqual((reads["verdict"], reads["why"]), ("not tried", "expected 0 .. 16, got 24"))
        self.assertNotIn("goodput_ppm", reads)

    def test_a_run_that_does_not_end_has_no_proofs(self):
        out, _ = self.ndsim("run", self.small, "--prove-limits", "--set", "limits.time=101 us", exit=5)
        self.assertIn("none: the run does not come to its end", out)

    def test_a_run_that_loses_a_connection_has_no_proofs(self):
        # The receiver is away for 20 us, in which 80 messages complete.
        out, _ = self.ndsim("run", LIBRARY / "cq-sizing.json", "--prove-limits", "--set", "hosts.B.cqs.cq.depth=32",
                            exit=1)
        self.assertIn("none: the run loses a connection", out)


if __name__ == "__main__":
    unittest.main()
