# Tests "ndsim run --prove-limits", on every scenario of the library that has a generator: what is said to bind does, and
# what is not said to does not.
# SPDX-License-Identifier: Apache-2.0
import json

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


# Points at the edges of the library's sweeps, where two limits meet.
EDGES = {
    "rnr-cliff": ("hosts.B.nic.rnr_timer=1", "traffic.t.receives=16"),
    "long-cable": ("hosts.A.nic.sq.depth=20",),
    "depth-knee": ("traffic.t.receives=21",),
    "elephants-and-mice": ("hosts.A.nic.tx_fifo=16 KiB",),
}


def sets(values):
    return [word for value in values for word in ("--set", value)]


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
            for values in ((), EDGES[scenario.stem]) if scenario.stem in EDGES else ((),):
                with self.subTest(scenario.stem, values=values):
                    self.all_are_proved(scenario, values)

    def all_are_proved(self, scenario, values):
        proofs, result = self.proofs(scenario, *sets(values))
        self.assertEqual(not any(proof["binds"] for proof in proofs.values()), scenario.stem in NOTHING_BINDS)
        for parameter, proof in proofs.items():
            # What gains beside those that bind shares the run with them, and they say so.
            is_told = any(parameter in other.get("with", ()) for other in proofs.values() if other["binds"])
            # There is no more of it, or for a limit that does not bind nothing can be told.
            untold = proof.get("why", "").startswith(
                "expected " if proof["binds"] else ("expected ", "with it other ", "the run with it measures "))
            expected = (("proved", "proved together", "shared") if proof["binds"]
                        else ("gains", "proved together") if is_told else ("no gain",))
            self.assertEqual(proof["verdict"] in expected or untold,
                             (scenario.stem, parameter) not in EXCEPTIONS, (parameter, proof))
            if proof["verdict"] == "proved together":
                # A run with all of them brought more than each of them by itself.
                among = [proofs[name]["goodput_ppm"] for name in (parameter, *proof["with"]) if name in proofs]
                self.assertGreater(result["limits_together"]["goodput_ppm"], max(among) + 20_000, (parameter, proof))

    def test_a_limit_behind_the_one_that_binds_is_found_and_both_are_proved_together(self):
        # 20 slots of 4.90 Gb/s each are the 98.04 Gb/s of the wire: more of one alone brings 1 % at most. More of both
        # ends at the receiver's PCIe, which worked for 88.8 % of the time: an eighth more.
        proofs, result = self.proofs(LIBRARY / "long-cable.json", *sets(EDGES["long-cable"]))
        wire, queue = proofs["links.l0.rate"], proofs["hosts.A.qps.q0.sq.depth"]
        self.assertEqual((wire["binds"], wire["verdict"], wire["with"]),
                         (True, "proved together", ["hosts.A.qps.q0.sq.depth"]))
        self.assertEqual((queue["binds"], queue["verdict"], queue["with"]),
                         (False, "proved together", ["links.l0.rate"]))
        self.assertLess(max(wire["goodput_ppm"], queue["goodput_ppm"]), 12_000)
        self.assertEqual(result["limits_together"]["parameters"], ["links.l0.rate", "hosts.A.qps.q0.sq.depth"])
        self.assertAlmostEqual(result["limits_together"]["goodput_ppm"], 126_000, delta=20_000)

    def test_a_limit_behind_that_was_not_even_used_is_found(self):
        # A wire that is half as fast again delivers a message before the receiver has posted twenty again, so that each
        # batch ends in an RNR wait of 0.64 ms: 21 messages in that and 21 x 3.57 us are 15.4 Gb/s at least, and less
        # than half of what was.
        out, _ = self.ndsim("run", LIBRARY / "depth-knee.json", "--prove-limits", *sets(EDGES["depth-knee"]), exit=1)
        self.assertRegex(out, r"\n  wire: l0_A_to_B .* only together with\n? *traffic\.t\.receives\n")
        self.assertRegex(out, r"\n  binds +links\.l0\.rate = 150 Gbps +-\d\d\.\d % .* "
                              r"proved together with traffic\.t\.receives\n")
        self.assertRegex(out, r"\n  next +traffic\.t\.receives = 32 +0\.0 % .* proved together with links\.l0\.rate\n")
        self.assertRegex(out, r"\n +together: links\.l0\.rate, traffic\.t\.receives +\+1\d\.\d % ")

    def test_what_gains_beside_a_limit_shares_the_run_with_it(self):
        # The wire rests for 4.9 % of the time while the FIFO, full, waits for payload. With half as much more of it, or
        # if it waits for less long, the wire does not rest: 4.9 / 95.1.
        proofs, _ = self.proofs(LIBRARY / "elephants-and-mice.json", *sets(EDGES["elephants-and-mice"]))
        fifo, pcie = proofs["hosts.A.nic.tx_fifo"], proofs["hosts.A.pcie.generation"]
        self.assertEqual((fifo["binds"], fifo["verdict"], fifo["with"]), (True, "shared", ["hosts.A.pcie.generation"]))
        self.assertEqual((pcie["binds"], pcie["verdict"]), (False, "gains"))
        for proof in (fifo, pcie):
            self.assertAlmostEqual(proof["goodput_ppm"], 51_500, delta=3_000)
        self.assertEqual(proofs["links.l0.rate"]["verdict"], "shared")

    def test_waits_for_requests_that_are_sent_in_vain_bind_nothing(self):
        # The sender runs ahead of the RNR NAK, and sends nearly half of its messages again.
        _, result = self.proofs(LIBRARY / "rnr-cliff.json", *sets(EDGES["rnr-cliff"]))
        self.assertEqual([limit["parameter"] for limit in result["limits"] if limit["binds"]], ["traffic.t.receives"])

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

    def test_what_adds_nothing_to_the_others_is_not_among_those_proved_together(self):
        # With three requests of 16 KiB the wire rests between two bunches for 15 % of the time. Either two more requests
        # or a link to memory that is twice as fast closes the gaps, and the wire is next. With a faster wire and a faster
        # link more requests add nothing.
        file = self.write("bunch.json", '{ "hosts": { "A": {}, "B": {} }, "traffic": { "t": { "from": "A", "to": "B", '
                                        '"size": "16 KiB", "count": 600 } } }')
        proofs, result = self.proofs(file, "--set", "nic.sq.depth=3")
        together = ["links.l0.rate", "hosts.A.pcie.generation"]
        self.assertEqual(result["limits_together"]["parameters"], together)
        self.assertEqual((proofs[together[0]]["verdict"], proofs[together[0]]["with"]), ("proved together", together[1:]))
        queue = proofs["hosts.A.qps.q0.sq.depth"]
        self.assertEqual((queue["verdict"], queue["with"]), ("shared", together[1:]))
        self.assertAlmostEqual(queue["goodput_ppm"], 180_000, delta=20_000)  # the wire is full: 1 / 0.85
        more = self.goodput_of(file, "hosts.A.pcie.generation=4", "links.l0.rate=150 Gbps", "nic.sq.depth=5")
        less = self.goodput_of(file, "hosts.A.pcie.generation=4", "links.l0.rate=150 Gbps", "nic.sq.depth=3")
        self.assertLess(more, 1.02 * less)

    def goodput_of(self, file, *sets):
        self.ndsim("run", file, *[word for each in sets for word in ("--set", each)], "--out", "more", exit=(0, 1))
        return self.result("more")["metrics"]["traffic.t.goodput"]["value"]

    def test_a_wider_link_has_the_next_possible_number_of_lanes(self):
        proofs, _ = self.proofs(self.small, "--set", "traffic.t.size=64 KiB", "--set", "traffic.t.count=400",
                                "--set", "traffic.t.window=16", "--set", "hosts.A.pcie.width=4")
        width = proofs["hosts.A.pcie.width"]
        self.assertEqual((width["binds"], width["value"], width["verdict"]), (True, "8", "proved"))

    # Two Reads of 200 KiB have room at once, each with at most half of the buffer: 128 of 256 KiB, 192 of 384 KiB. Only in
    # 576 KiB both have room as a whole.
    def test_a_limit_that_works_in_steps_is_raised_until_the_next_one(self):
        file = self.write("steps.json", """{ "hosts": { "A": { "preset": "D", "nic": { "read_buffer": "256 KiB" } },
            "B": { "preset": "D" } }, "links": { "l0": { "between": ["A", "B"], "length": "1 km" } },
            "traffic": { "t": { "from": "A", "to": "B", "operation": "read", "size": "200 KiB", "count": 1000 } } }""")
        out, _ = self.ndsim("run", file, "--prove-limits", "--set", "nic.rx_buffer=4 MiB")
        self.assertRegex(out, r"\n  binds +hosts\.A\.nic\.read_buffer = 576 KiB +\+\d\d\.\d % +-\d\d\.\d % +proved; half as "
                              r"much more brings nothing\n")
        half_more = self.goodput_of(file, "nic.rx_buffer=4 MiB", "hosts.A.nic.read_buffer=384 KiB")
        as_it_is = self.goodput_of(file, "nic.rx_buffer=4 MiB")
        self.assertLess(abs(half_more - as_it_is), 0.02 * as_it_is)

    # Two queue pairs post to C, whose link has credits for the data of a 4 KiB packet and a little more: 272 of 16 bytes,
    # then 408, have room for one at a time, 612 for two.
    def test_limits_raised_together_have_the_values_that_gain(self):
        file = self.write("credits.json", """{ "hosts": { "A": {}, "B": {}, "C": { "pcie": {
            "posted_headers": 34, "posted_data": 272, "one_way": "600 ns" } } }, "switches": { "s0": {} }, "traffic": {
            "t": { "from": "A", "to": "C.a", "size": "64 KiB", "count": 400 },
            "u": { "from": "B", "to": "C.b", "size": "64 KiB", "count": 400 } } }""")
        proofs, result = self.proofs(file)
        credits = proofs["hosts.C.pcie.posted_data"]
        self.assertEqual((credits["verdict"], credits["value"]), ("proved", "612"))
        together = result["limits_together"]
        self.assertIn("hosts.C.pcie.posted_data", together["parameters"])
        both = [f"{name}={proofs[name]['value']}" for name in together["parameters"]]

        def goodput(*sets):
            self.goodput_of(file, *sets)
            metrics = self.result("more")["metrics"]
            return sum(metrics[f"traffic.{name}.shared_goodput"]["value"] for name in "tu")
        gain = goodput(*both) / goodput() - 1
        self.assertAlmostEqual(together["goodput_ppm"] / 1e6, gain, delta=0.002)

    # A receive at a time holds up u, which has 1 % of what both send.
    def test_a_limit_of_a_small_generator_is_proved_by_its_own_figures(self):
        file = self.write("small.json", """{ "hosts": { "A": {}, "B": {}, "C": { "qps": { "u": { "rq": { "depth": 1 } } } },
            "D": {} }, "switches": { "s0": {} }, "traffic": {
            "u": { "from": "A", "to": "C.u", "size": "256 B", "count": 3000 },
            "t": { "from": "B", "to": "D.t", "size": "64 KiB", "count": 400 } } }""")
        proofs, _ = self.proofs(file)
        queue = proofs["hosts.C.qps.u.rq.depth"]
        self.assertEqual((queue["binds"], queue["value"], queue["verdict"]), (True, "2", "proved"))
        self.assertAlmostEqual(queue["goodput_ppm"], 1_000_000, delta=20_000)  # two receives for one
        self.assertLess(queue["goodput_of_all_ppm"], 20_000)

    # More of D's link to memory and of the cable brings u a little; t never comes there.
    def test_what_gains_for_other_hosts_has_no_part(self):
        file = self.write("apart.json", """{ "hosts": { "A": {}, "B": {}, "C": {}, "D": {} }, "links": {
            "l0": { "between": ["A", "B"] }, "l1": { "between": ["C", "D"], "rate": "25 Gbps" } }, "traffic": {
            "t": { "from": "A", "to": "B", "operation": "write", "size": "64 KiB", "count": 400, "window": 4 },
            "u": { "from": "C", "to": "D", "operation": "write", "size": "4 KiB", "count": 900, "window": 1 } } }""")
        proofs, _ = self.proofs(file)
        for name in ("links.l0.rate", "traffic.u.window"):
            self.assertEqual((proofs[name]["binds"], proofs[name]["verdict"]), (True, "proved"), name)
        self.assertEqual(proofs["links.l1.rate"]["verdict"], "no gain")

    def test_the_text_says_by_how_much_and_result_json_keeps_it(self):
        out, _ = self.ndsim("run", self.small, "--prove-limits", "--set", "traffic.t.window=1")
        self.assertRegex(out, r"\n  binds +traffic\.t\.window = 2 +\+\d+\.\d % +[+-]?\d+\.\d % +proved\n")
        kept = json.loads((self.folder / "out/small/result.json").read_text(encoding="utf-8"))
        self.assertEqual(kept["limits"][0]["proof"]["verdict"], "proved")
        without, _ = self.ndsim("run", self.small, "--set", "traffic.t.window=1")
        self.assertNotIn("Limits tried", without)
        kept = json.loads((self.folder / "out/small/result.json").read_text(encoding="utf-8"))
        self.assertNotIn("proof", kept["limits"][0])

    def test_limits_of_alike_generators_are_raised_together(self):
        self.write("ring.json", json.dumps({
            "hosts": {f"H{i}": {} for i in range(3)}, "switches": {"s": {}},
            "traffic": {f"t{i}": {"from": f"H{i}.q{i}", "to": f"H{(i + 1) % 3}.q{i}", "size": "1 KiB", "window": 1,
                                  "count": 300} for i in range(3)}}))
        out, _ = self.ndsim("run", "ring.json", "--prove-limits")
        # Two messages at a time instead of one: at most twice as many. The second one is fetched, and not pushed.
        self.assertRegex(out, r"\n  binds +traffic\.t0\.window \.\. traffic\.t2\.window \(3 alike\) = 2 +\+[5-9]\d\.\d % ")
        self.assertEqual(out.count("traffic.t2.window = 1"), 1)  # in "Bound by" they share a row, too
        kept = json.loads((self.folder / "out/ring/result.json").read_text(encoding="utf-8"))
        proofs = [limit["proof"] for limit in kept["limits"] if limit["parameter"].endswith(".window")]
        self.assertEqual([proof["verdict"] for proof in proofs], ["proved"] * 3)
        self.assertEqual({proof["parameters"] for proof in proofs}, {3})

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

    def test_a_gain_is_more_than_chance_brings(self):
        # 2,000 messages of which 1 % is lost, each loss at the cost of a window, and of a timeout if it is the last: with
        # other seeds other messages are lost, so that the runs differ by more than the 2 % of a gain.
        file = self.write("lossy.json", '{ "hosts": { "A": { "nic": { "timeout_code": 1 } }, "B": {} }, "faults": [ '
                                        '{ "drop": "A", "rate": "1 %" } ], "traffic": { "t": { "from": "A", "to": "B", '
                                        '"size": "4 KiB", "count": 2000, "window": 16 } } }')
        proofs, result = self.proofs(file)
        goodputs = [self.goodput_of(file, f"seed={seed}") for seed in range(1, 6)]
        chance = max(goodputs) * 1_000_000 // min(goodputs) - 1_000_000
        self.assertGreater(chance, 20_000)
        self.assertEqual(result["limits_chance"], {"seeds": 5, "gain_ppm": chance})
        for parameter, proof in proofs.items():
            if proof["goodput_ppm"] < chance:
                self.assertIn(proof["verdict"], ("not proved", "no gain"), (parameter, proof))
        # Figures are means: of five runs with the wire as it is, and of five with a faster one.
        raised = [self.goodput_of(file, f"seed={seed}", "links.l0.rate=150 Gbps") for seed in range(1, 6)]
        self.assertAlmostEqual(proofs["links.l0.rate"]["goodput_ppm"], 1_000_000 * sum(raised) / sum(goodputs) - 1_000_000,
                               delta=1)

    def test_where_chance_moves_nothing_a_run_with_one_seed_is_enough(self):
        _, result = self.proofs(self.small, "--set", "traffic.t.window=1")
        self.assertNotIn("limits_chance", result)

    def test_a_run_that_does_not_end_has_no_proofs(self):
        out, _ = self.ndsim("run", self.small, "--prove-limits", "--set", "limits.time=101 us", exit=5)
        self.assertIn("none: the run does not come to its end", out)

    def test_a_run_that_loses_a_connection_has_no_proofs(self):
        # The receiver is away for 20 us, in which 80 messages complete.
        out, _ = self.ndsim("run", LIBRARY / "cq-sizing.json", "--prove-limits", "--set", "hosts.B.cqs.cq.depth=32",
                            exit=1)
        self.assertIn("none: the run loses a connection", out)

    def test_where_generators_are_measured_side_by_side_for_too_short_a_time_nothing_is_tried(self):
        # 1500 Sends are done within the warm-up of 1500 Reads, which take ten times as long: while both were measured, t1
        # moved two messages, and t0 none.
        file = self.write("mixed.json", """{ "hosts": { "A": { "preset": "C" }, "B": { "iommu": { "enabled": true } } },
            "traffic": {
              "t0": { "from": "A.q0", "to": "B.q0", "operation": "read", "size": "16 KiB", "window": 1, "count": 1500 },
              "t1": { "from": "A.q1", "to": "B.q1", "window": 8, "count": 1500 } } }""")
        proofs, _ = self.proofs(file)
        self.assertTrue(proofs["traffic.t0.window"]["binds"])
        for parameter, proof in proofs.items():
            self.assertEqual((proof["verdict"], proof["why"]),
                             ("not tried", "the run measures its generators side by side for too short a time (raise "
                                           "their count)"), parameter)
