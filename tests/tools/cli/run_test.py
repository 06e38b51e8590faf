# Tests "ndsim run": what it prints, what it writes, and how it ends.
# SPDX-License-Identifier: Apache-2.0
import json
import re

from support import LIBRARY, NOBODY_SENDS, QUICKSTART, STREAM, CliTest

# Scenarios of the library that show a failure.
FAILING = {
    "access-violation",
    "cq-overrun",
    "invalidate-race",
    "receive-overflow-terminate",
    "receive-too-small",
    "send-and-invalidate",
    "two-results",
}

# Names that are too long to be kept without allocating memory.
LONG_NAMES = """{
  "hosts": {
    "the_host_that_sends": {
      "buffers": { "what_the_program_could_send": { "size": "64 B" } },
      "qps": { "its_only_queue_pair": { "connect": "the_host_that_receives.its_only_queue_pair" } } },
    "the_host_that_receives": { "qps": { "its_only_queue_pair": {} } }
  },
  "traffic": { "the_stream_between_them": {
    "from": "the_host_that_sends.its_only_queue_pair", "to": "the_host_that_receives.its_only_queue_pair",
    "size": "64 B", "count": 50, "receives": 50 } },
  "programs": { "the_host_that_sends": [ { "sleep": "2 us" } ] }
}
"""


class Run(CliTest):
    def test_a_recording_is_asked_for_or_not(self):
        for name in ("waves", "packets", "timeline"):
            _, err = self.ndsim("run", LIBRARY / "quickstart.json", f"--{name}", f"--no-{name}", exit=2)
            self.assertIn(f"--{name} excludes --no-{name}", err)

    def test_every_library_scenario_meets_its_expectations(self):
        for scenario in sorted(LIBRARY.glob("*.json")):
            with self.subTest(scenario.stem):
                out, err = self.ndsim("run", scenario)
                # Only a scenario that shows a failure has something to warn of.
                warned = [line for line in err.splitlines() if scenario.stem not in FAILING or "driver: " not in line]
                self.assertEqual(warned, [])
                self.assertNotIn("NOT met", out)
                self.assertTrue((self.folder / "out" / scenario.stem / "result.json").is_file())

    def test_a_connection_that_an_error_ended_is_told_first_and_fails_the_run(self):
        # B takes ten completions and is away for 200 us while 16 messages are under way: its queue overruns.
        file = self.write(
            "overrun.json",
            """{ "hosts": { "A": {}, "B": { "nic": { "cq": { "depth": 10 } } } },
                 "traffic": { "t": { "from": "A.q0", "to": "B.q0", "repost_batch": 32, "count": 1000 } },
                 "faults": [ { "freeze": "B", "from": "250 us", "until": "450 us" } ] }""",
        )
        what = r"connection B.q0 to A.q0 ended at [0-9.]+ us by an error: completion queue B.q0.receive overran"
        out, err = self.ndsim("run", file, exit=1)
        self.assertRegex("\n".join(out.splitlines()[:3]), what)
        self.assertIn("a connection ended by an error that no expectation asks for: B.q0 to A.q0, completion", err)
        out, _ = self.ndsim("run", file, "--json", exit=1)
        said = json.loads(out)
        self.assertIn("no expectation asks for", said["error"])
        (dead,) = said["result"]["dead_connections"]
        self.assertEqual((dead["connection"], dead["expected"]), ("B.q0 to A.q0", False))
        self.assertIn("overran", dead["why"])

    def test_the_table_has_what_a_person_wants_to_know(self):
        out, _ = self.ndsim("run", STREAM, "--set", "nic.mtu=1024", exit=0)
        self.assertRegex(out, r"^stream: Messages of 64 KiB")
        self.assertRegex(out, r"finished after [0-9.]+ ms of simulated time .*profile documented, seed 1\n")
        self.assertIn("with nic.mtu=1024\n", out)
        # timing.md F4: 1024 of 1024 + 82 bytes on the wire are payload.
        self.assertRegex(out, r"stream +A.q0 to B.q0 +400 .* 92\.[56]\d* Gbps")
        self.assertRegex(out, r"stream: post to sender's poll +\d+ +[0-9.]+ us")
        self.assertRegex(out, r"stream: post to receiver's poll +\d+ +[0-9.]+ us")
        self.assertRegex(out, r"A\.nic\.wqe +[0-9.]+ +[0-9.]+ +[0-9.]+ +tx_fifo [0-9.]+")
        self.assertRegex(out, r"A\.nic\.tx\.tx_fifo +\d+ +65536")
        self.assertIn("Expectations: 2 of 2 met", out)
        self.assertIn("traffic.stream.goodput at least 90 Gbps and at most 98.05 Gbps: ", out)
        self.assertRegex(out, r"Outputs in out/stream\n +result.json")

    def test_latencies_of_an_open_loop_begin_with_the_arrival(self):
        # 4 KiB take 4 us on a link of 8 Gbps, and come every 2 us: the last of 100 waits for about 99 x 2 us.
        file = self.write("open.json", """{ "hosts": { "A": {}, "B": {} }, "links": { "l0": { "rate": "8 Gbps" } },
            "traffic": { "t": { "from": "A", "to": "B", "size": "4 KiB", "count": 100, "window": 1, "arrivals": "fixed",
                                "interval": "2 us" } } }""")
        out, _ = self.ndsim("run", file)
        self.assertRegex(out, r"\n  t: arrival to sender's poll +90 ")
        self.assertRegex(out, r"\n  t: arrival to receiver's poll +90 ")
        self.assertGreater(self.result("out/open")["metrics"]["traffic.t.latency.max"]["value"], 190_000_000)
        out, _ = self.ndsim("metrics", file, ".p50")
        self.assertIn("from arrival to the sender's poll", out)
        self.assertIn("from arrival to the receiver's poll", out)
        out, _ = self.ndsim("metrics", file, ".p50", "--set", "traffic.t.arrivals=closed", "--set",
                            "traffic.t.interval=1 us")
        self.assertIn("from post to the sender's poll", out)

    def test_generators_that_are_alike_are_one_row_with_what_they_reach_together(self):
        hosts = ", ".join(f'"S{n}": {{}}' for n in range(4))
        traffic = ", ".join(f'"t{n}": {{ "from": "S{n}", "to": "R.q{n}", "size": "64 KiB", "count": 60, "window": 4 }}'
                            for n in range(4))
        file = self.write("four.json", f'{{ "hosts": {{ {hosts}, "R": {{}} }}, "switches": {{ "s0": {{}} }}, '
                                       f'"traffic": {{ {traffic} }} }}')
        out, _ = self.ndsim("run", file)
        self.assertRegex(out, r"messages +failed +measured +goodput +shared goodput +message rate")
        # A quarter of 98.04 Gbps each.
        self.assertRegex(out, r"\n  t0 \.\. t3 \(4 alike\)  S0\.q0 \.\. S3\.q0 to R\.q0 \.\. R\.q3 +60 +0 +54 +24\.\d.* Gbps ")
        self.assertRegex(out, r"\n  Together to R: 98\.\d+ Gbps; the slowest 24\.\d+ Gbps, the fastest 24\.\d+ Gbps\n")
        self.assertRegex(out, r"\n  \(shared goodput: in the [\d.]+ [mu]s in which all were measured\)\n")
        self.assertRegex(out, r"\n  t0 \.\. t3 \(4 alike\): post to sender's poll +54 ")
        self.assertNotRegex(out, r"\n  t1")
        # The senders' ledgers, engines and pools are shown once, the receiver's and the switch's, too.
        self.assertRegex(out, r"\n +S0 \.\. S3 send +R receive\n +mean of 21\d +mean of 21\d\n")
        self.assertRegex(out, r"\n  S0\.nic\.wqe \.\. S3\.nic\.wqe  .*\n")
        self.assertRegex(out, r"\n  S0\.cpu_t0 \.\. S3\.cpu_t3  .*\n")
        self.assertRegex(out, r"\n  l0_S0_to_s0 \.\. l3_S3_to_s0  .*\n")
        self.assertRegex(out, r"\n  l4_s0_to_R +0\.0 +100\.0 +0\.0\n")
        self.assertNotRegex(out, r"\n  S1\.")
        self.assertEqual(len(re.findall(r"\n  S\d\.nic\.tx\.tx_fifo ", out)), 1)
        # 4 x 4 x 16 packets of 4178 bytes are under way at most.
        queue = re.search(r"\n  s0\.R\.queue +(\d+) +16777216 ", out)
        self.assertGreater(int(queue[1]), 700_000)
        self.assertLessEqual(int(queue[1]), 4 * 4 * 16 * 4178)
        self.assertRegex(out, r"\n  s0\.buffer +\d+ +16777216 ")
        self.assertRegex(out, r"\n  switch +\d+\.\d +\d\d\.\d\n")  # the account in which most of the time is
        # One that is different, or whose host is, has a row for itself.
        for other in ("traffic.t1.window=5", "hosts.S1.pcie.width=8", "links.l1.length=3 m", "hosts.R.qps.q1.rq.depth=64"):
            with self.subTest(other):
                out, _ = self.ndsim("run", file, "--set", other)
                self.assertRegex(out, r"\n  t0 \.\. t3 \(3 alike\) ")
                self.assertRegex(out, r"\n  t1 +S1\.q0 to R\.q1 ")

    def test_what_was_lost_and_sent_again_has_a_table(self):
        # Packet 3 of 8 is lost, and a NAK asks for it: 6 packets again. An acknowledgement is lost: 1 packet after a timeout.
        out, _ = self.ndsim("run", LIBRARY / "lost-packet.json", exit=0)
        table = out[out.index("\nRecovery: "):].split("\n\n")[0]
        self.assertRegex(table, r"\n +packets again +timeouts +NAKs +of them RNR\n  A +7 +1 +1 +0\n")
        self.assertNotRegex(table, r"\n  B ")
        self.assertIn("\n  l0_A_to_B_faults.drop: 1 packets lost\n  l0_B_to_A_faults.drop: 1 packets lost", table)
        out, _ = self.ndsim("run", STREAM)
        self.assertNotIn("Recovery", out)

    def test_calls_that_were_refused_are_counted_at_the_head(self):
        # One slot: the second and the third Send find it in use.
        file = self.write("refused.json", """{ "hosts": {
            "A": { "buffers": { "m": { "size": "64 B" } }, "qps": { "q0": { "sq": { "depth": 1 } } } },
            "B": { "buffers": { "m": { "size": "64 B" } } } },
            "programs": { "A": [{ "post": "send", "buffer": "m", "count": 3 }, { "poll": "q0.send" }],
                          "B": [{ "post": "receive", "buffer": "m" }, { "poll": "q0.receive" }] } }""")
        out, _ = self.ndsim("run", file, exit=0)
        self.assertIn("\ncalls of A's program: 2 refused\n", out)
        self.assertNotIn("of B's program", out)

    def test_the_table_shows_dma_generators(self):
        file = self.write("dma.json", """{ "hosts": { "A": {} }, "dma": {
            "r": { "host": "A", "size": "64 B", "count": 2000 },
            "once": { "host": "A", "operation": "write_read", "count": 1 } } }""")
        out, _ = self.ndsim("run", file, "--set", "dma.once.operation=write", exit=0)
        self.assertRegex(out, r"\nDMA\n +transfers +measured +rate +transfer rate +95 % interval\n")
        # pcie.md: 24 B, 135 + 120 + 135 ns, 84 B, at 66.8 ps a byte.
        self.assertRegex(out, r"\n  r +read of 64 B on A +2000 +1800 +1\.289 Gbps +2\.518 M/s +\+- 0\.00 %\n")
        self.assertRegex(out, r"\n  r: issue to data in the NIC +1800 +397\.2 ns +\+- 0\.00 % +397\.2 ns")
        self.assertRegex(out, r"\n  once: issue to visible +1 ")
        result = self.result("out/dma")
        self.assertEqual(result["metrics"]["dma.r.rate"]["unit"], "bps")

    def test_the_ledger_adds_up_as_printed_and_to_the_picosecond(self):
        out, _ = self.ndsim("run", QUICKSTART)
        ledger = out[out.index("Ledger"):out.index("Busiest")].splitlines()[4:]
        rows = {line.split()[0]: line for line in ledger if line.strip()}
        total = rows.pop("total")
        self.assertEqual(list(rows)[:2], ["post", "doorbell"])  # the order of a Send's life
        self.assertEqual(list(rows)[-1], "poll")
        # Columns end where those of the total do.
        for end in [match.end() for match in re.finditer(r"[0-9.]+", total)]:
            cells = [re.search(r"([0-9.]+)$", line[:end]) for line in rows.values() if len(line) >= end]
            shown = sum(round(10 * float(cell[1])) for cell in cells if cell)
            self.assertEqual(shown, round(10 * float(re.search(r"([0-9.]+)$", total[:end])[1])))
        for ledger in self.result("out/quickstart")["ledgers"]:
            self.assertEqual(sum(ledger["mean_accounts_ps"].values()), ledger["mean_total_ps"])

    def test_every_kind_of_request_has_a_ledger(self):
        out, _ = self.ndsim("run", LIBRARY / "fast-register.json", exit=0)
        self.assertRegex(out, r"\n +A send +A read +A receive +B send\n")
        self.assertRegex(out, r"\n +B fast_register +B receive\n")
        kinds = [(ledger["host"], ledger["operation"], ledger["requests"])
                 for ledger in self.result("out/fast-register")["ledgers"]]
        self.assertEqual(kinds, [("A", "send", 1), ("A", "read", 1), ("A", "receive", 1),
                                 ("B", "send", 1), ("B", "fast_register", 2), ("B", "receive", 1)])

    def test_waves_are_written_as_asked_and_opened_with_the_command_that_is_shown(self):
        out, _ = self.ndsim("run", QUICKSTART, "--out", "a b")
        self.assertIn("gtkwave 'a b/waves.gtkw'", out)
        self.assertTrue((self.folder / "a b" / "waves.gtkw").is_file())
        out, _ = self.ndsim("run", QUICKSTART, "--out", "a b", "--no-waves")
        self.assertIn("--waves records a waveform", out)
        self.assertFalse((self.folder / "a b" / "waves.vcd").exists(), "that of the earlier run")
        self.ndsim("run", self.small, "--waves")
        self.assertTrue((self.folder / "out/small/waves.vcd").is_file())
        self.assertEqual(self.result("out/small")["scenario"]["parameters"]["outputs.waves"],
                         {"value": "true", "origin": "command line"})

    def test_what_engines_did_adds_up_as_printed_and_to_the_picosecond(self):
        out, _ = self.ndsim("run", STREAM)
        table = out[out.index("Engines: what they waited for"):].split("\n\n")[0].splitlines()
        self.assertRegex(table[1], r"^ +% idle +% busy +% blocked +by$")
        shown = [re.match(r"  (\S+) +([0-9.]+) +([0-9.]+) +([0-9.]+)(?: +(.*))?$", line).groups() for line in table[2:]]
        for engine, idle, busy, blocked, by in shown:
            tenths = [round(10 * float(share)) for share in (idle, busy, blocked)]
            self.assertEqual(sum(tenths), 1000, engine)
            waits = [round(10 * float(share)) for share in re.findall(r"[0-9.]+(?=,|$)", by or "")]
            self.assertEqual(sum(waits), tenths[2], engine)
        result = self.result("out/stream")
        measured = result["metrics"]["run.measured"]["value"]
        for engine in result["engines"]:
            self.assertEqual(engine["idle_ps"] + engine["busy_ps"] + engine["blocked_ps"], measured, engine)
            self.assertEqual(sum(engine["blocked_by_ps"].values()), engine["blocked_ps"], engine)
            self.assertEqual(result["metrics"][engine["engine"] + ".blocked"]["value"], engine["blocked_ps"])
        # All that did something are shown.
        self.assertEqual([engine for engine, *_ in shown],
                         [engine["engine"] for engine in result["engines"] if engine["idle_ps"] != measured])

    def test_what_bound_the_run_is_named(self):
        out, _ = self.ndsim("run", STREAM, exit=0)
        self.assertRegex(out, r"\nBound by\n  wire: l0_A_to_B +busy +(9\d|100)\.\d % +links\.l0\.rate = 100 Gbps +chosen\n")
        limits = self.result("out/stream")["limits"]
        self.assertEqual({key: limits[0][key] for key in limits[0] if key != "share_ppm"},
                         {"kind": "wire", "what": "l0_A_to_B", "binds": True, "parameter": "links.l0.rate",
                          "value": "100 Gbps", "source": "documented", "basis": "chosen",
                          "generators": ["traffic stream"]})
        self.assertGreater(limits[0]["share_ppm"], 900_000)
        self.assertFalse(limits[-1]["binds"])
        out, _ = self.ndsim("run", QUICKSTART, exit=0)
        self.assertNotIn("Bound by", out)  # programs are bound by their own steps

    def test_an_expectation_that_fails_is_shown_with_its_place(self):
        out, err = self.ndsim("run", self.small, "--set", "traffic.t.count=99", exit=1)
        self.assertIn("Expectations: 0 of 1 met", out)
        self.assertRegex(out, r"NOT met  traffic.t.messages at least 100\n +found: 99\n +at small.json:5:15\n")
        self.assertEqual(err, "ndsim: 1 of 1 expectations was not met\n")
        out, err = self.ndsim("run", self.small, "--set", "traffic.t.count=99", "--quiet", exit=1)
        self.assertEqual(out, "")
        self.assertIn("found: 99", err)

    def test_parameters_without_effect(self):
        out, _ = self.ndsim("run", STREAM, "--show-effect")
        self.assertRegex(out, r"\nBusy, of the time: l0_A_to_B 99\.\d %, ")
        never, could_not = out.split("Parameters without effect: never read\n")[1].split("could not matter\n")
        self.assertRegex(never, r"hosts\.A\.cpu\.msix_to_isr +1\.2 us +there was no interrupt")
        self.assertRegex(never, r"links\.l0\.switch_hop +425 ns +there was no switch")
        self.assertRegex(could_not, r"hosts\.A\.pcie\.tags +256 +no read waited for one")
        self.assertRegex(could_not, r"hosts\.A\.nic\.sq\.depth +128 +at most 16 of 128 were used")
        self.assertNotIn("hosts.A.nic.tx_pipe", out)  # every packet meets it
        shown = self.envelope("run", STREAM, "--show-effect")["result"]
        self.assertEqual(shown["without_effect"]["hosts.A.cpu.msix_to_isr"],
                         {"never_read": True, "why": "there was no interrupt"})
        self.assertGreater(shown["busy_percent"]["l0_A_to_B"], 99)

    def test_a_limit_is_named(self):
        _, err = self.ndsim("run", STREAM, "--set", "limits.time=1 ms", exit=5)
        self.assertRegex(err, r"stopped at a limit: the limit of 1 ms of simulated time; traffic stream: ")
        out, err = self.ndsim("run", STREAM, "--set", "limits.items=5000", exit=5)
        self.assertIn("the limit of 5000 work items", err)
        self.assertIn("Expectations: not checked, since the run did not finish", out)

    def test_a_run_frees_what_it_has_whenever_it_is_stopped(self):
        self.write("long_names.json", LONG_NAMES)
        for items in [i * i for i in range(1, 20)]:  # 1 to 361: from the first moment of set-up into the traffic
            with self.subTest(items):
                # LeakSanitizer, in builds that have it, changes the exit code.
                _, err = self.ndsim("run", "long_names.json", "--set", f"limits.items={items}", exit=5)
                self.assertNotIn("waits for waits", err)
                self.assertNotIn("LeakSanitizer", err)

    def test_a_waveform_at_its_limit_of_size_is_told_and_readable(self):
        out, err = self.ndsim("run", STREAM, "--waves", "--set", "outputs.waves.max_size=64 KiB", exit=5)
        self.assertRegex(err, r"waves.vcd reached its maximum size \(outputs.waves.max_size\) and ends at [0-9.]+ us")
        self.assertIn("Expectations: 2 of 2 met", out)
        self.assertLessEqual((self.folder / "out/stream/waves.vcd").stat().st_size, 65536)

    def test_a_stall_names_who_waits_and_for_which_queue(self):
        self.write("stall.json", NOBODY_SENDS)
        out, err = self.ndsim("run", "stall.json", exit=6)
        self.assertIn("STALLED after", out)
        self.assertRegex(err, r"stalled at [0-9.]+ us: nothing can happen any more, but something still waits: "
                              r"the program of B at programs.B\[1\] \(line 3\): polls q0.receive, 1 of 1 completions")
        self.assertEqual(self.result("out/stall")["outcome"], "stalled")

    def test_quiet_says_nothing_of_what_is_right(self):
        self.assertEqual(self.ndsim("run", self.small, "--quiet"), ("", ""))

    def test_logs_go_to_stderr(self):
        out, err = self.ndsim("run", self.small, "--log-level", "info")
        self.assertRegex(err, r"ndsim: info: simulated [0-9.]+ us in [0-9.]+ s: 200 completions")
        self.assertNotIn("info:", out)
        debug = self.ndsim("run", self.small, "--log-level", "debug", "--set", "limits.items=500", exit=5)
        for text in (*debug, out):
            self.assertNotIn("Accellera", text)  # SystemC's banner
        self.assertNotIn("SystemC", debug[0])
