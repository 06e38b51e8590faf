# Tests ndsim calibrate: estimates fitted to measurements.
# SPDX-License-Identifier: Apache-2.0
import json
import re
import signal
import time

from support import ROOT, CliTest

PAIR = """{
  "hosts": { "A": {}, "B": {} },
  "links": { "l0": { "length": "100 m" } },
  "traffic": { "t": { "from": "A", "to": "B", "operation": "write", "size": "64 B", "count": 20, "window": 1 } }
}
"""
READS = PAIR.replace("write", "read")

# As ib_read_lat prints it. The times are those of a ConnectX-3 in docs/validation.md, P4.
READ_LAT = """
---------------------------------------------------------------------------------------
                    RDMA_Read Latency Test
 Dual-port       : OFF          Device         : mlx4_0
 Mtu             : 2048[B]
---------------------------------------------------------------------------------------
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
 64      1000          1.95           9.10         2.02                2.05            0.10            2.30                    9.10
 2048    1000          3.40           9.90         3.45                3.50            0.10            3.70                    9.90
 8192    1000          5.00           9.90         5.08                5.10            0.10            5.30                    9.90
---------------------------------------------------------------------------------------
"""


class Calibrate(CliTest):
    def setUp(self):
        super().setUp()
        self.write("pair.json", PAIR)

    def metrics(self, *words):
        result = self.envelope("run", "pair.json", "--out", "out/run", *words)["result"]["metrics"]
        return {name: metric["value"] for name, metric in result.items()}

    def measured(self, *words):
        """What the model measures of itself: a Write and a Send of two sizes alone, and how fast software posts."""
        lone = [("write", "64 B"), ("send", "4 KiB")]
        rows = ["operation,size,window,count,latency.mean [us],message_rate [M/s]"]
        for operation, size in lone:
            latency = self.metrics(*words, f"--set=traffic.t.operation={operation}", f"--set=traffic.t.size={size}")
            rows.append(f"{operation},{size},1,20,{latency['traffic.t.latency.mean'] / 1e6:.6f},")
        rate = self.metrics(*words, "--set=traffic.t.window=64", "--set=traffic.t.count=300")
        rows.append(f"write,64 B,64,300,,{rate['traffic.t.message_rate'] / 1e6:.6f}")
        self.write("measured.csv", "\n".join(rows) + "\n")

    def test_it_finds_what_the_measurements_were_made_with(self):
        # The pipe is twice in a latency, for the message and for its acknowledgement, a poll once; and a poll is part of
        # what a core does for each message, the pipe is not. So both are known from the three.
        true = ["--set=nic.rx_pipe=200 ns", "--set=cpu.poll_cq=45 ns"]
        self.measured(*true)
        words = ["calibrate", "pair.json", "measured.csv", "--fit", "nic.rx_pipe", "--fit", "cpu.poll_cq"]
        out, _ = self.ndsim(*words)
        self.assertRegex(out, r"^pair\.json, measured\.csv: 3 figures of 3 runs\n\n  figure +with +measured +before +after\n"
                              r"  latency\.mean +operation=write, size=64 B, window=1, count=20 ")
        self.assertRegex(out, r"\n  nic\.rx_pipe  +120 ns  [ 0-9.]+ ns  [0-9.]+ ns \.\. [0-9.]+ ns  +80\.4 ns \.\. 399\.6 ns\n")
        self.assertTrue(out.endswith("\nFor --preset: out/pair-calibration/calibrated.json\n"), out)

        said = json.loads((self.folder / "out/pair-calibration/calibration.json").read_text(encoding="utf-8"))
        found = {each["name"]: each for each in said["parameters"]}
        for name, value in (("nic.rx_pipe", 200), ("cpu.poll_cq", 45)):
            number, unit = found[name]["after"].split()
            self.assertEqual(unit, "ns")
            self.assertLess(abs(float(number) / value - 1), 0.03, name)
            low, high = (float(each.split()[0]) for each in found[name]["within"])
            self.assertTrue(low <= value <= high, found[name])
        self.assertLess(said["rms_after_ppm"], 1000)
        self.assertGreater(said["rms_before_ppm"], 10_000)

        # The preset's file does what the parameters did.
        preset = self.metrics("--preset=out/pair-calibration/calibrated.json")["traffic.t.latency.mean"]
        wanted = self.metrics(*true)["traffic.t.latency.mean"]
        self.assertLess(abs(preset / wanted - 1), 0.002)

        # The same command runs nothing again, and says the same.
        journal = (self.folder / "out/pair-calibration/points.ndjson").read_bytes()
        again, _ = self.ndsim(*words, "-j1")
        self.assertEqual(again, out)
        self.assertEqual((self.folder / "out/pair-calibration/points.ndjson").read_bytes(), journal)

    # Three rates of lone requests hardly tell the pipes apart: values far from the fitted ones are as good, once the
    # other pipe is fitted to them. The interval of each has them.
    def test_an_interval_contains_what_the_other_parameter_makes_up_for(self):
        true = ["--set=nic.tx_pipe=200 ns", "--set=nic.rx_pipe=120 ns"]
        rows = ["operation,size,message_rate [M/s]"]
        for operation, size in (("write", "4 KiB"), ("read", "256 B"), ("write", "64 B")):
            rate = self.metrics(*true, f"--set=traffic.t.operation={operation}", f"--set=traffic.t.size={size}")
            rows.append(f"{operation},{size},{rate['traffic.t.message_rate'] / 1e6:.6f}")
        self.write("rates.csv", "\n".join(rows) + "\n")
        def fit(*words):
            said = self.envelope("calibrate", "pair.json", "rates.csv", *words)["result"]
            return said, {each["name"]: each for each in said["parameters"]}
        _, both = fit("--fit", "nic.tx_pipe", "--fit", "nic.rx_pipe")
        for tx in (35, 200):
            said, one = fit("--set", f"nic.tx_pipe={tx} ns", "--fit", "nic.rx_pipe", "--out", f"at{tx}")
            self.assertLess(said["rms_after_ppm"], 1000)  # far from half a percent
            rx = float(one["nic.rx_pipe"]["after"].split()[0])
            for name, value in (("nic.tx_pipe", tx), ("nic.rx_pipe", rx)):
                low, high = (float(each.split()[0]) for each in both[name]["within"])
                self.assertTrue(low <= value <= high, (name, value, both[name]))

    # One latency has both pipes in it: it determines their sum.
    def test_fewer_figures_than_parameters_determine_none_of_these_well(self):
        self.write("one.csv", "latency.mean [us]\n1.6\n")
        said = self.envelope("calibrate", "pair.json", "one.csv", "--fit", "nic.rx_pipe", "--fit", "nic.tx_pipe")["result"]
        self.assertEqual([each["determined"] for each in said["parameters"]], ["hardly", "hardly"])
        alone = self.envelope("calibrate", "pair.json", "one.csv", "--fit", "nic.rx_pipe", "--out", "alone")["result"]
        self.assertEqual([each["determined"] for each in alone["parameters"]], ["well"])

    def test_the_estimates_that_matter_are_found(self):
        # Of one lone Write nothing tells a pipe from a core: everything can make up for everything.
        self.write("one.csv", "latency.mean [us]\n2.7\n")
        keep = ["nic.tx_pipe", "nic.doorbell_to_sched", "cpu.poll_detect", "nic.forward_grain", "cpu.mmio_wc64"]
        said = self.envelope("calibrate", "pair.json", "one.csv", *(f"--keep={each}" for each in keep))["result"]
        names = [each["name"] for each in said["parameters"]]
        self.assertEqual(names[0], "nic.rx_pipe")  # the widest range, and twice in the latency
        self.assertIn("cpu.poll_cq", names)
        self.assertFalse(set(keep) & set(names))
        self.assertLess(said["rms_after_ppm"], 1000)
        poll = next(each for each in said["parameters"] if each["name"] == "cpu.poll_cq")
        self.assertEqual(poll["determined"], "no")
        self.assertEqual(poll["within"], poll["range"])

    def test_a_table_of_perftest_of_a_public_device(self):
        self.write("reads.json", READS)
        self.write("read_lat.txt", READ_LAT)
        device = json.loads((ROOT / "scenarios/validation/devices/cx3.json").read_text(encoding="utf-8"))
        self.write("cx3.json", json.dumps({"about": device["about"], "set": device["set"]}))
        said = self.envelope("calibrate", "reads.json", "read_lat.txt", "--preset", "cx3.json", "--set", "link.length=2 m",
                             "--fit", "nic.rx_pipe", "--fit", "nic.read_response_sched")["result"]
        self.assertEqual([each["measured"] for each in said["figures"]], [2_020_000, 3_450_000, 5_080_000])
        self.assertEqual(said["figures"][1]["set"], ["traffic.t.size=2048 B"])
        self.assertLessEqual(said["rms_after_ppm"], said["rms_before_ppm"])

    def test_the_page_has_the_fit_the_ranges_and_what_is_left_open(self):
        self.write("one.csv", "latency.mean [us]\n2.7\n")
        said = self.envelope("calibrate", "pair.json", "one.csv", "--fit", "nic.rx_pipe", "--fit", "cpu.poll_cq", "--out",
                             "study")["result"]
        self.ndsim("report", "study")
        page = (self.folder / "study/report.html").read_text(encoding="utf-8")
        self.assertIn("<h1>pair: calibration</h1>", page)
        self.assertEqual(re.findall("<h2 id=.*?>(.*?)</h2>", page), ["Fit", "Parameters", "Left open"])
        off = said["figures"][0]["before"] / 2_700_000 - 1
        self.assertIn(f"latency.mean: {100 * off:+.1f} % before", page)  # under the pointer
        self.assertIn('<td class="n">2.7 us</td>', page)
        # Of one latency nobody can say which of the two it is.
        self.assertIn("<p>Undetermined: ", page)
        for each in said["parameters"]:
            self.assertIn(f"<td>{each['name']}</td><td class=\"n\">{each['before']}</td>", page)

    def test_the_page_of_a_calibration_made_by_hand(self):
        def parameter(name, after, within, determined):
            return {"name": name, "paths": [], "before": "200 ns", "after": after, "range": ["100 ns", "400 ns"],
                    "reason": "an estimate", "within": within, "determined": determined}
        figures = [{"set": ["traffic.t.size=64 B"], "metric": "traffic.t.latency.mean", "quantity": "time",
                    "measured": 2_000_000, "before": 2_200_000, "after": 1_980_000},
                   {"set": [], "metric": "traffic.t.goodput", "quantity": "rate", "measured": 10**10,
                    "before": 10**10, "after": 10**10}]
        study = {"file": "pair.json", "measurements": "measured.csv", "rms_before_ppm": 67_400, "rms_after_ppm": 7_100,
                 "figures": figures, "left": ["nic.tx_pipe"], "runs": 9,
                 "parameters": [parameter("nic.a", "400 ns", ["200 ns", "400 ns"], "well"),
                                parameter("nic.b", "200 ns", ["100 ns", "400 ns"], "no"),
                                parameter("nic.c", "120 ns", ["110 ns", "399 ns"], "hardly")]}
        (self.folder / "study").mkdir()
        self.write("study/calibration.json", json.dumps(study))
        self.ndsim("report", "study", "-o", "page.html")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertIn("2 figures of measured.csv: 6.74 % off before, 0.71 % after", page)
        self.assertIn('<td>size=64 B</td><td class="n">2 us</td><td class="n">2.2 us</td>'
                      '<td class="n">+10.0 %</td><td class="n">1.98 us</td><td class="n">-1.0 %</td>', page)
        for words in ("well determined, at the end of its range", "Undetermined: nic.b.", "Hardly determined: nic.c.",
                      "Not fitted, as they matter less: nic.tx_pipe."):
            self.assertIn(words, page)
        # In logarithmic steps 200 ns are halfway from 100 to 400, and 400 ns at the right end.
        grey, before = (re.search(pattern, page) for pattern in (
            r'<rect x="([\d.]+)"[^>]*? width="([\d.]+)"[^>]*><title>nic\.a: its range',
            r'<circle cx="([\d.]+)"[^>]*><title>nic\.a: before, 200 ns<'))
        left, width = float(grey[1]), float(grey[2])
        self.assertAlmostEqual(float(before[1]), left + width / 2, delta=0.2)
        blue = re.search(r'<circle cx="([\d.]+)"[^>]*><title>nic\.a: after, 400 ns<', page)
        self.assertAlmostEqual(float(blue[1]), left + width, delta=0.2)
        self.write("study/calibration.json", "{}")
        _, err = self.ndsim("report", "study", exit=2)
        self.assertIn("study/calibration.json is not what this version of ndsim calibrate writes; run it again", err)

    def test_it_goes_on_after_an_interrupt(self):
        self.write("one.csv", "count,latency.mean [us]\n" + "".join(f"{20 + i},2.7\n" for i in range(2)))
        words = ["calibrate", "pair.json", "one.csv", "--fit", "nic.rx_pipe"]
        with self.start(*words) as process:
            journal = self.folder / "out/pair-calibration/points.ndjson"
            while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 2):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertEqual(err, "ndsim: interrupted; the same command continues from here\n")
        kept = journal.read_bytes()
        interrupted, _ = self.ndsim(*words)
        self.assertTrue(journal.read_bytes().startswith(kept))
        whole, _ = self.ndsim(*words, "--out", "whole")
        self.assertEqual(interrupted.replace("out/pair-calibration", "whole"), whole)

    def test_any_metric_of_the_run_may_be_measured(self):
        # The mean ledger of a Write says the same as its latency.
        mean = self.metrics("--set=nic.rx_pipe=150 ns")["ledger.A.write.mean"]
        self.write("one.csv", f"ledger.A.write.mean [ps]\n{mean}\n")
        said = self.envelope("calibrate", "pair.json", "one.csv", "--fit", "nic.rx_pipe")["result"]
        self.assertLess(abs(float(said["parameters"][0]["after"].split()[0]) / 150 - 1), 0.01)
        # Another column runs again what the first one has not kept, and is found.
        least = self.metrics("--set=nic.rx_pipe=150 ns")["ledger.A.write.min"]
        self.write("one.csv", f"ledger.A.write.min [ps]\n{least}\n")
        said = self.envelope("calibrate", "pair.json", "one.csv", "--fit", "nic.rx_pipe")["result"]
        self.assertLess(abs(float(said["parameters"][0]["after"].split()[0]) / 150 - 1), 0.01)
        self.write("one.csv", "ledger.A.write.men [ps]\n1\n")
        _, err = self.ndsim("calibrate", "pair.json", "one.csv", exit=3)
        self.assertTrue(err.startswith('one.csv:2:1: the run has no metric "ledger.A.write.men"'), err)

    def refused(self, text, *words, exit=3):
        self.write("bad.csv", text)
        _, err = self.ndsim("calibrate", "pair.json", "bad.csv", *words, exit=exit)
        return err

    # 1.7 us are 1,700 ns.
    def test_a_figure_that_stays_far_off_is_named(self):
        self.write("measured.csv", "latency.mean [ns]\n1.7\n")
        out, _ = self.ndsim("calibrate", "pair.json", "measured.csv", "--fit", "nic.rx_pipe")
        self.assertIn("\n  latency.mean is far off, fitted or not: look at its unit, and at the scenario\n", out)

    def test_what_is_wrong_has_its_place(self):
        self.assertEqual(self.refused("size,goodput [Gbps]\n64 B,fast\n"),
                         'bad.csv:2:6: goodput: expected a number above 0, got "fast"\nndsim: 1 problem; nothing was run\n')
        self.assertEqual(self.refused("sise,goodput [Gbps]\n64 B,1\n65 B,1\n"),
                         'bad.csv:2:1: traffic.t.sise: there is no such path; did you mean "traffic.t.size"?\n'
                         "ndsim: 1 problem; nothing was run\n")
        self.assertRegex(self.refused("size,goodput [Gbps]\n64 B,1\n65 bananas,1\n"),
                         r'^bad\.csv:3:1: traffic\.t\.size: unknown unit "bananas"; ')
        self.assertEqual(self.refused("size,latency.men [us]\n64 B,1\n"),
                         'bad.csv:2:6: the run has no metric "traffic.t.latency.men"; did you mean '
                         '"traffic.t.latency.mean"?\nndsim: 1 problem; nothing was run\n')
        self.assertEqual(self.refused("size,latency.mean [Gbps]\n64 B,1\n"),
                         "bad.csv: traffic.t.latency.mean: expected a unit of a time, got one of a rate\n"
                         "ndsim: 1 problem; nothing was run\n")
        _, err = self.ndsim("calibrate", "pair.json", "none.csv", exit=3)
        self.assertEqual(err, "none.csv: cannot be opened: No such file or directory\nndsim: 1 problem; nothing was run\n")

    def test_what_cannot_be_fitted(self):
        row = "latency.mean [us]\n2.7\n"
        self.assertEqual(self.refused(row, "--fit", "nic.rx_pip", exit=2),
                         'ndsim: --fit: expected a parameter of hosts, links or switches that is a number, got "nic.rx_pip"; '
                         'did you mean "nic.rx_pipe"?\n')
        self.assertEqual(self.refused(row, "--keep", "nic.rx_pip", exit=2),
                         'ndsim: --keep: expected a parameter of hosts, links or switches that is a number, got "nic.rx_pip"; '
                         'did you mean "nic.rx_pipe"?\n')
        self.assertEqual(self.refused(row, "--fit", "nic.rx_pipe", "--set", "hosts.B.nic.rx_pipe=1 us", exit=2),
                         "ndsim: --fit: nic.rx_pipe is not the same everywhere; expected one of them, such as "
                         "hosts.A.nic.rx_pipe\n")
        self.assertEqual(self.refused(row, "--fit", "link.length", exit=2),
                         "ndsim: --fit: links.l0.length is set by the scenario, by --set or by a measurement; only what is "
                         "left to presets is fitted\n")
        self.assertEqual(self.refused(row, "--fit", "cpu.poll_jitter", exit=2),
                         "ndsim: --fit: cpu.poll_jitter is 0 ps, which has no range to fit it in\n")
        self.assertEqual(self.refused(row, "--fit", "hosts.A.nic.rx_pipe", "--fit", "nic.rx_pipe", exit=2),
                         "ndsim: --fit: hosts.A.nic.rx_pipe and nic.rx_pipe are in part the same\n")
        self.assertEqual(self.refused(row, "--fit", "nic.rx_pipe", "--keep", "hosts.A.nic.rx_pipe", exit=2),
                         "ndsim: --fit: nic.rx_pipe is also to be kept (--keep hosts.A.nic.rx_pipe)\n")
        # No Read is answered.
        self.assertEqual(self.refused(row, "--fit", "nic.read_response_sched", exit=2),
                         "ndsim: --fit: no measured figure depends on nic.read_response_sched\n")
