# Tests "ndsim compare": of run folders made by hand, and of runs.
# SPDX-License-Identifier: Apache-2.0
import random

from run_folders import ledger, metric, result, row, settings, write
from support import STREAM, CliTest


class Figures(CliTest):
    """Of two folders that are written in each test."""

    def folders(self, first, second, first_rows=(), second_rows=()):
        write(self.folder / "a", first, first_rows)
        write(self.folder / "b", second, second_rows)

    def compare(self, *words, exit=1):
        return self.ndsim("compare", "a", "b", *words, exit=exit)[0]

    def test_the_version_does_not_count(self):
        self.folders(result(ndsim="0.1.0"), result(ndsim="0.2.0"), [row("A.1", 0, (("wire", 5),))],
                     [row("A.1", 0, (("wire", 5),))])
        out = self.compare(exit=0)
        self.assertEqual(out, "  first   a  made.json, by ndsim 0.1.0\n  second  b  made.json, by ndsim 0.2.0\n"
                              "The runs are the same\n")
        self.assertTrue(self.envelope("compare", "a", "b")["result"]["same"])

    def test_what_was_recorded_does_not_count(self):
        recorded = settings(**{"outputs.timeline": "true"})
        recorded["written"]["outputs"] = {"timeline": True}
        self.folders(result(), result(files=["timeline.json"], scenario=recorded))
        self.assertTrue(self.compare(exit=0).endswith("\nThe runs are the same\n"))

    def test_scenarios_that_programs_have_made_are_compared_too(self):
        made = settings() | {"written": None}
        self.folders(result(scenario=made), result(scenario=made))
        self.assertTrue(self.compare(exit=0).endswith("\nThe runs are the same\n"))

    def test_anything_else_counts(self):
        for change in ({"outcome": "stalled"}, {"metrics": {"run.x": metric(1)}},
                       {"ended_ps": 1}, {"scenario": settings(seed="2")}):
            self.folders(result(), result(**change))
            self.assertIn("The runs differ", self.compare())
            self.assertFalse(self.envelope("compare", "a", "b", exit=1)["result"]["same"])

    def test_times_of_how_the_runs_ended_have_units(self):
        self.folders(result(dead_connections=[{"at_ps": 95_026_630, "name": "x_ps"}]),
                     result(dead_connections=[{"at_ps": 95_000_000, "name": "y_ps"}]))
        out = " ".join(self.compare().split())
        self.assertIn("dead_connections[0].at_ps 95.02663 us 95 us", out)
        self.assertIn('dead_connections[0].name "x_ps" "y_ps"', out)

    def test_texts_of_expectations_that_are_no_figures(self):
        verdicts = [{"path": "expect[0]", "line": 7, "column": 5, "what": "A.s within 2 us", "met": met, "found": found}
                    for met, found in ((True, "success, 0 bytes, after 1.592417 us"),
                                       (False, "success, 0 bytes, after 2.592417 us"))]
        self.folders(result(expectations=verdicts[:1]), result(expectations=verdicts[1:]))
        out = self.compare()
        self.assertIn("    first: met, found success, 0 bytes, after 1.592417 us\n"
                      "    second: NOT met, found success, 0 bytes, after 2.592417 us\n", out)

    def test_metrics_with_what_matters_first(self):
        self.folders(result(metrics={"traffic.t.goodput": metric(100_000_000_000, "bps"), "A.nic.x": metric(1),
                                     "A.nic.y": metric(0), "A.nic.gone": metric(3), "A.nic.same": metric(7),
                                     "traffic.t.latency.mean": metric(2_000_000, "ps"),
                                     "traffic.t.latency.max": metric(1_000_000, "ps"),
                                     "ledger.A.send.mean": metric(4_000_000, "ps")}),
                     result(metrics={"traffic.t.goodput": metric(98_000_000_000, "bps"), "A.nic.x": metric(4),
                                     "A.nic.y": metric(5), "A.nic.new": metric(6), "A.nic.same": metric(7),
                                     "traffic.t.latency.mean": metric(2_500_000, "ps"),
                                     "traffic.t.latency.max": metric(3_000_000, "ps"),
                                     "ledger.A.send.mean": metric(4_000_001, "ps")}))
        # Of each group the headline comes first, and what has changed most: 0.5 of 2.5 us, 2 of 100 Gbps. The largest
        # latency has changed more, but is no headline.
        expected = """
Metrics: 6 of 8 differ
                              first    second  difference       %
  traffic.t.latency.mean       2 us    2.5 us     +500 ns  +25.00
  traffic.t.goodput        100 Gbps   98 Gbps     -2 Gbps   -2.00
  traffic.t.latency.max        1 us      3 us       +2 us +200.00
  ledger.A.send.mean           4 us      4 us       +1 ps    0.00
  A.nic.y                         0         5          +5       -
  A.nic.x                         1         4          +3 +300.00
  only in the first: A.nic.gone = 3
  only in the second: A.nic.new = 6
"""
        self.assertEqual(" ".join(self.compare().partition("\nMetrics")[2].partition("\nFirst event")[0].split()),
                         " ".join(expected.partition("\nMetrics")[2].split()))
        said = self.envelope("compare", "a", "b", exit=1)["result"]["metrics"]
        self.assertEqual(said[1], {"name": "traffic.t.goodput", "first": 100_000_000_000, "second": 98_000_000_000,
                                   "difference": -2_000_000_000, "distance_ppm": 20_000})
        self.assertEqual(said[-1], {"name": "A.nic.new", "first": None, "second": 6})

    def test_only_the_most_important_ones_unless_all_are_wanted(self):
        self.folders(result(metrics={f"A.nic.m{n}": metric(100) for n in range(20)}),
                     result(metrics={f"A.nic.m{n}": metric(101 + n) for n in range(20)}))
        out = self.compare()
        self.assertIn("Metrics: 20 of 20 differ\n", out)
        self.assertIn("A.nic.m19 ", out)
        self.assertNotIn("A.nic.m7 ", out)  # 12 are shown: m8 to m19
        self.assertIn("A.nic.m8 ", out)
        self.assertIn("\n  and 8 more metrics: --all\n", out)
        self.assertEqual(self.compare("--all").count("A.nic.m"), 20)

    def test_tolerance(self):
        self.folders(result(metrics={"run.x": metric(1000)}, ledgers=[ledger("A", "send", 1, wire=1000)]),
                     result(metrics={"run.x": metric(995)}, ledgers=[ledger("A", "send", 1, wire=995)],
                            scenario=settings(nic__x="1")))
        self.compare("--tolerance", "0.5%", exit=0)  # 5 of 1000
        self.compare("--tolerance", "0.4999 %")
        self.compare()
        self.assertRegex(self.ndsim("compare", "a", "b", "--tolerance", "5", exit=2)[1], "^ndsim: --tolerance: expected ")
        self.folders(result(), result(outcome="stalled"))
        self.compare("--tolerance", "100%")

    def test_settings_by_value_and_by_origin(self):
        changed = settings(hosts__A__nic__mtu="1024", hosts__A__nic__x="5")
        changed["parameters"]["hosts.A.preset"]["origin"] = "command line"
        changed["overrides"] = ["hosts.A.nic.mtu=1024"]
        changed["written"] = {"hosts": {"A": {"nic": {"mtu": 1024}}}, "programs": {"A": [{"post": "send", "size": "1 B"}]}}
        self.folders(result(scenario=settings(hosts__A__nic__mtu="4096")), result(scenario=changed))
        out = self.compare()
        self.assertRegex(out, r"\n  second +b +made\.json with hosts\.A\.nic\.mtu=1024\n")
        self.assertRegex(out, r"\n  hosts\.A\.nic\.mtu +4096 \(file\) +1024 \(file\)\n")
        self.assertRegex(out, r"\n  hosts\.A\.nic\.x +- +5 \(file\)\n")
        self.assertRegex(out, r'\n  programs\.A\[0\]\.post +- +"send"\n')
        self.assertIn("\n  1 more have the same value from another origin: --all\n", out)
        self.assertRegex(self.compare("--all"), r"\n  hosts\.A\.preset +B \(default\) +B \(command line\)\n")
        self.assertEqual([each["path"] for each in self.envelope("compare", "a", "b", exit=1)["result"]["settings"]],
                         ["hosts.A.nic.mtu", "hosts.A.nic.x", "hosts.A.preset"])

    def test_expectations_that_one_run_met(self):
        def verdict(path, met, found):
            return {"met": met, "what": f"what {path} says", "found": found, "path": path, "line": 1, "column": 2}
        self.folders(result(expectations=[verdict("expect[0]", True, "5 us"), verdict("expect[1]", True, "1")]),
                     result(expectations=[verdict("expect[0]", False, "9 us"), verdict("expect[1]", True, "2")]))
        out = self.compare()
        self.assertIn("  what expect[0] says\n    first: met, found 5 us\n    second: NOT met, found 9 us\n", out)
        self.assertNotIn("expect[1]", out)

    def test_limits_and_ledgers_side_by_side(self):
        def limit(share, binds):
            return {"kind": "wire", "what": "l0_A_to_B", "share_ppm": share, "binds": binds, "parameter": "links.l0.rate",
                    "value": "100 Gbps"}
        self.folders(result(limits=[limit(999_000, True)], ledgers=[ledger("A", "send", 9, post=50, tx=100)]),
                     result(limits=[limit(200_000, False)], ledgers=[ledger("A", "send", 8, post=50, wire=30)]))
        out = self.compare()
        self.assertRegex(out, r"\n  wire: l0_A_to_B +99\.9 % +20\.0 % \(not bound\)  links\.l0\.rate = 100 Gbps\n")
        self.assertRegex(out, r"\nLedger of A send\n +first +second +difference\n +mean of 9 +mean of 8 +ns\n"
                              r"  post +50\.0 +50\.0 +0\.0\n  tx +100\.0 +0\.0 +-100\.0\n  wire +0\.0 +30\.0 +\+30\.0\n"
                              r"  total +150\.0 +80\.0 +-70\.0\n")
        self.folders(result(limits=[limit(999_000, True)]), result(limits=[limit(999_000, True)]))
        self.compare("--tolerance", "1%", exit=0)
        self.folders(result(limits=[limit(999_000, True)]), result(limits=[limit(999_000, False)]))
        self.compare("--tolerance", "1%")

    def test_a_limit_that_another_parameter_sets_in_each_run(self):
        def limit(parameter, value):
            return {"kind": "core", "what": "A.cpu_t", "share_ppm": 980_000, "binds": True, "parameter": parameter,
                    "value": value}
        self.folders(result(limits=[limit("hosts.A.cpu.mmio_uc", "100 ns")]),
                     result(limits=[limit("hosts.A.cpu.wqe_build", "500 ns")]))
        self.assertRegex(self.compare(), r"\n  core: A\.cpu_t +98\.0 % +98\.0 % +"
                                         r"hosts\.A\.cpu\.mmio_uc = 100 ns, then hosts\.A\.cpu\.wqe_build = 500 ns\n")
        (both,) = self.envelope("compare", "a", "b", exit=1)["result"]["limits"]
        self.assertEqual([both[run]["parameter"] for run in ("first", "second")],
                         ["hosts.A.cpu.mmio_uc", "hosts.A.cpu.wqe_build"])

    def test_the_spelling_of_an_override_does_not_count(self):
        self.folders(result(scenario=settings() | {"overrides": ["link.length=100 m"]}),
                     result(scenario=settings() | {"overrides": ["links.l0.length=100 m"]}))
        self.assertIn("The runs are the same\n", self.compare(exit=0))

    def test_what_is_empty_in_one_run_is_told_by_its_members(self):
        with_link = settings() | {"written": {"links": {"l0": {"length": "100 m"}}}}
        self.folders(result(scenario=settings() | {"written": {"links": {"l0": {}}}}), result(scenario=with_link))
        others = self.envelope("compare", "a", "b", exit=1)["result"]["others"]
        self.assertEqual([other["path"] for other in others], ["links.l0.length"])

    def test_without_completions_nothing_is_said_of_events(self):
        self.folders(result(), result(outcome="stalled", files=["completions.csv"]), None, ())
        self.assertIn("First event that differs: not looked for, as a has no completions.csv\n", self.compare())
        self.folders(result(), result(), None, None)
        self.compare(exit=0)

    def test_completions_that_are_gone_are_not_the_same(self):
        said = result(files=["completions.csv"])
        for lost in ("a", "b"):
            self.folders(said, said)
            (self.folder / lost / "completions.csv").unlink()
            _, err = self.ndsim("compare", "a", "b", exit=2)
            self.assertEqual(err, f"ndsim: {lost}: has no completions.csv, although the run wrote one; run the scenario "
                                  "again, or compare figures alone with --tolerance\n")
            self.ndsim("compare", "a", "b", "--tolerance", "1%")

    def test_folders_that_are_none_of_a_run(self):
        self.folders(result(), result())
        self.assertEqual(self.ndsim("compare", "a", "c", exit=2)[1], "ndsim: c: there is no such folder; did you mean a?\n")
        self.assertRegex(self.ndsim("compare", "a", exit=2)[1], "SECOND is required")


class Events(CliTest):
    def parting(self, first, second, starts=(0, 0)):
        write(self.folder / "a", result(started_ps=starts[0] * 1000), first)
        write(self.folder / "b", result(started_ps=starts[1] * 1000), second)
        exit = 0 if first == second and starts[0] == starts[1] else 1
        return self.envelope("compare", "a", "b", exit=exit)["result"]["first_event"]

    def test_the_account_in_which_ledgers_part(self):
        path = (("post", 50), ("wire", 100), ("cqe", 20))
        same = row("A.1", 0, path)
        for other, ledger_parts in (
                ((("post", 50), ("wire", 130), ("cqe", 20)), (50, ("wire", 100), ("wire", 130))),
                ((("post", 50), ("pause", 30), ("wire", 100)), (50, ("wire", 100), ("pause", 30))),
                ((("post", 50), ("wire", 100)), (150, ("cqe", 20), None))):
            event = self.parting([same, row("A.2", 10, path)], [same, row("A.2", 10, other)])
            self.assertEqual((event["request"], event["event"]), ("A.2", "end"))
            said = event["ledger"]
            self.assertEqual((said["after_ps"] // 1000,
                              *(stay and (stay["account"], stay["took_ps"] // 1000) for stay in (said["first"], said["second"]))),
                             ledger_parts)

    def test_in_words(self):
        write(self.folder / "a", result(), [row("A.1", 1000, (("post", 50), ("wire", 100)), label="A.s")])
        write(self.folder / "b", result(), [row("A.1", 1000, (("post", 50), ("wire", 300)), label="A.s")])
        out, _ = self.ndsim("compare", "a", "b", exit=1)
        self.assertIn("at 1.15 us, 1.15 us after programs and generators began: send A.1 on A.q0 (0x11), called A.s ends\n", out)
        self.assertRegex(out, r"\n  ended +1\.15 us +1\.35 us\n")
        self.assertIn("Their ledgers diverge 50 ns after the post, in wire: 100 ns in the first, 300 ns in the second\n", out)
        write(self.folder / "b", result(), [])
        out, _ = self.ndsim("compare", "a", "b", exit=1)
        self.assertIn("at 1 us, 1 us after programs and generators began: send A.1 on A.q0 (0x11), called A.s is posted\n", out)
        self.assertRegex(out, r"\n  A\.1 +send, called A\.s +no such request\n")

    def test_times_count_from_the_beginning_of_programs(self):
        path = (("wire", 100),)
        first = [row("A.1", 1000, path), row("A.2", 1100, path)]
        self.assertIsNone(self.parting(first, [row("A.1", 1500, path), row("A.2", 1600, path)], (1000, 1500)))
        event = self.parting(first, [row("A.1", 1500, path), row("A.2", 1601, path)], (1000, 1500))
        self.assertEqual((event["request"], event["event"], event["since_start_ps"]), ("A.2", "post", 100_000))

    def test_is_the_first_of_all_that_differ(self):
        """Against a plain search through all events, in files of some lines that differ in some."""
        generator = random.Random(7)
        for _ in range(60):
            first = {n: (n // 2, generator.randrange(1, 40)) for n in range(1, 40)}  # post and nanoseconds
            second = dict(first)
            for _ in range(generator.randrange(4)):
                n = generator.randrange(1, 40)
                second[n] = generator.choice([None, (second[n] or (0, 5))[0:1] + (generator.randrange(1, 40),),
                                              (generator.randrange(20), 5)])
            second = {n: said for n, said in second.items() if said}
            events = [{(begin, "post", n) for n, (begin, _) in run.items()} |
                      {(begin + took, "end", n, begin) for n, (begin, took) in run.items()} for run in (first, second)]
            differ = {(at, what == "end", n) for at, what, n, *_ in events[0] ^ events[1]}
            lines = [[row(f"A.{n}", begin, (("wire", took),)) for n, (begin, took) in
                      sorted(run.items(), key=lambda item: sum(item[1]))] for run in (first, second)]
            event = self.parting(*lines)
            if not differ:
                self.assertIsNone(event)
                continue
            at, is_end, n = min(differ)
            self.assertEqual((event["since_start_ps"], event["event"], event["request"]),
                             (at * 1000, "end" if is_end else "post", f"A.{n}"))


class Runs(CliTest):
    def test_the_same_scenario_twice(self):
        self.ndsim("run", self.small, "--out", "a")
        self.ndsim("run", self.small, "--out", "b")
        self.assertIn("The runs are the same\n", self.ndsim("compare", "a", "b")[0])

    def test_what_other_runs_have_shown_does_not_count(self):
        self.ndsim("run", self.small, "--out", "a")
        self.ndsim("run", self.small, "--prove-limits", "--error-bars", "--out", "b")
        self.assertIn("error_bars", (self.folder / "b" / "result.json").read_text())
        self.assertIn("The runs are the same\n", self.ndsim("compare", "a", "b")[0])

    def test_a_smaller_mtu(self):
        self.ndsim("run", STREAM, "--out", "a")
        self.ndsim("run", STREAM, "--set", "nic.mtu=1024", "--out", "b")
        out, _ = self.ndsim("compare", "a", "b", exit=1)
        self.assertRegex(out, r"\n  hosts\.A\.nic\.mtu +4096 \(preset\) +1024 \(command line\)\n")
        self.assertIn("traffic.stream.goodput", out)
        said = self.envelope("compare", "a", "b", exit=1)["result"]
        self.assertEqual([each["path"] for each in said["settings"]], ["hosts.A.nic.mtu", "hosts.B.nic.mtu"])
        # Nothing depends on the MTU until a message has arrived: the first one's receive ends later, as more headers
        # precede its last byte, and its ledger parts where it waits for that.
        event = said["first_event"]
        self.assertEqual((event["request"], event["event"]), ("B.1", "end"))
        self.assertEqual(event["first"]["begin_ps"], event["second"]["begin_ps"])
        self.assertLess(event["first"]["end_ps"], event["second"]["end_ps"])
        self.assertEqual((event["ledger"]["first"]["account"], event["ledger"]["second"]["account"]), ("message",) * 2)

    def test_another_seed_shows_in_another_generator_s_figures_only(self):
        self.ndsim("run", self.small, "--set", "traffic.t.arrivals=poisson", "--out", "a")
        self.ndsim("run", self.small, "--set", "traffic.t.arrivals=poisson", "--set", "seed=2", "--out", "b")
        said = self.envelope("compare", "a", "b", exit=1)["result"]
        self.assertEqual([each["path"] for each in said["settings"]], ["seed"])
        self.assertEqual(said["others"], [])
        self.assertEqual(said["first_event"]["event"], "post")
