# Tests Ctrl-C: a run of any length can be stopped, and what it wrote is whole.
# SPDX-License-Identifier: Apache-2.0
import json
import re
import shutil
import signal
import time

import pcapng
import timeline
from support import HANG, CliTest

ENDLESS = ("--set", "traffic.t.count=1000000000000")  # 10^12 messages are valid


class Interrupt(CliTest):
    def run_until(self, size, *words):
        """A run whose completions.csv has come to this size."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        process = self.start("run", self.small, *ENDLESS, *words)
        self.addCleanup(process.kill)
        csv = self.folder / "out/small/completions.csv"
        deadline = time.monotonic() + HANG
        while not (csv.exists() and csv.stat().st_size >= size):
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        return process

    def test_outputs_are_whole_and_the_result_so_far_is_shown(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                process = self.run_until(100_000, "--waves", "--packets", "--timeline")
                process.send_signal(number)
                out, err = process.communicate(timeout=HANG)
                self.assertEqual(process.returncode, 130)
                self.assertRegex(out, r"interrupted after [0-9.]+ [mun]s of simulated time")
                self.assertRegex(out, r"t +A.q0 to B.q0 +\d+ .* not all measured\n")
                self.assertRegex(err, r"^ndsim: interrupted at [0-9.]+ [mun]s; the outputs hold what happened until "
                                      r"then\n$")
                self.check_outputs()

    def test_a_compressed_timeline_is_whole(self):
        # By then the text has been compressed in several pieces.
        process = self.run_until(200_000, "--set", "outputs.timeline.compressed=true")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 130)
        slices = timeline.check(self, timeline.events(self.folder / "out/small/timeline.json.gz"))
        completed = [piece for piece in slices
                     if piece.category == "request" and piece.args["status"] != "not completed"]
        self.assertEqual(len(completed), self.result("out/small")["completions"])

    def check_outputs(self):
        result = self.result("out/small")
        self.assertEqual(result["outcome"], "interrupted")
        for unknown in ("interval", "steady"):  # of a window that is not complete
            self.assertNotIn("traffic.t." + unknown, result["metrics"])
        rows = (self.folder / "out/small/completions.csv").read_text()
        self.assertTrue(rows.endswith("\n"))
        self.assertEqual({row.count(",") for row in rows.splitlines()}, {rows.splitlines()[0].count(",")})
        self.assertEqual(len(rows.splitlines()) - 1, result["completions"])
        waves = (self.folder / "out/small/waves.vcd").read_text()
        self.assertRegex(waves, r"\n(#\d+|[01]\S+|b[01]+ \S+|s\S+ \S+)\n$")
        self.assertEqual(re.findall(r"\n#(\d+)", waves)[-1], str(result["ended_ps"]))
        self.assertTrue((self.folder / "out/small/waves.gtkw").is_file())
        packets = pcapng.packets(self.folder / "out/small/packets.pcapng")
        sent = sum(packet.direction == "out" for packet in packets)
        self.assertEqual(sent, sum(result["metrics"][f"{host}.nic.tx.packets"]["value"] for host in "AB"))
        self.assertLessEqual(packets[-1].nanoseconds * 1000, result["ended_ps"])
        slices = timeline.check(self, timeline.events(self.folder / "out/small/timeline.json"))
        requests = [piece for piece in slices if piece.category == "request"]
        completed = [piece for piece in requests if piece.args["status"] != "not completed"]
        self.assertEqual(len(completed), result["completions"])
        self.assertGreater(len(requests), len(completed), "receives are posted ahead")

    def test_the_envelope_comes_all_the_same(self):
        process = self.run_until(100_000, "--json")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANG)
        self.assertEqual((process.returncode, err), (130, ""))
        said = json.loads(out)
        self.assertEqual((said["ok"], said["exit"], said["result"]["outcome"]), (False, 130, "interrupted"))

    def test_a_second_run_in_the_folder_is_refused_until_the_first_has_ended(self):
        process = self.run_until(100_000)
        _, err = self.ndsim("run", self.small, exit=7)
        self.assertEqual(err, "ndsim: out/small: another command of ndsim is writing to this folder; give another folder "
                              "with --out\n")
        self.ndsim("run", self.small, "--out", "out/other")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.result("out/small")["outcome"], "interrupted")
        self.ndsim("run", self.small)
        self.assertEqual(self.result("out/small")["outcome"], "finished")

    def test_the_second_one_ends_it_at_once(self):
        process = self.run_until(100_000)
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)  # two of one kind would count once while it stands still
        process.send_signal(signal.SIGCONT)
        out, _ = process.communicate(timeout=HANG)
        self.assertIn(process.returncode, (-signal.SIGINT, -signal.SIGTERM))
        self.assertEqual(out, "")

    def test_nohup_goes_on_when_its_terminal_is_closed(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        process = self.start("run", self.small, *ENDLESS,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.addCleanup(process.kill)
        self.wait_for("completions.csv", process)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 130)

    def wait_for(self, name, process):
        deadline = time.monotonic() + HANG
        while not (self.folder / "out/small" / name).exists():
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)


class InFurtherRuns(CliTest):
    """The run itself has ended; its other runs, of which --error-bars needs some hundred, are interrupted."""

    LONGER = ("--set", "traffic.t.count=20000")

    def start_further(self, *words):
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        process = self.start("run", self.small, *self.LONGER, *words, env={"TMPDIR": str(temporary)})
        self.addCleanup(process.kill)
        deadline = time.monotonic() + HANG
        while not (self.folder / "out/small/result.json").exists():
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
        return process

    def check(self, process):
        out, err = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(list((self.folder / "temporary").iterdir()), [], "nothing is left of the further runs")
        result = self.result("out/small")
        self.assertEqual(result["outcome"], "finished")
        self.assertEqual(result["metrics"]["traffic.t.messages"]["value"], 20000)
        self.assertNotIn("error_bars", result)
        self.assertFalse([limit for limit in result["limits"] if "proof" in limit])
        return out, err

    def test_the_run_itself_is_kept(self):
        for words in (("--error-bars",), ("--error-bars", "--prove-limits")):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest((words, number)):
                    shutil.rmtree(self.folder / "out", ignore_errors=True)
                    process = self.start_further(*words)
                    time.sleep(0.3)
                    process.send_signal(number)
                    out, err = self.check(process)
                    self.assertRegex(out, r"\n  t +A.q0 to B.q0 ")
                    self.assertNotIn("Error bars", out)
                    self.assertEqual(err, "ndsim: interrupted in the further runs; the run itself has ended, and its "
                                          "outputs are complete\n")

    def test_in_the_envelope(self):
        process = self.start_further("--error-bars", "--json")
        process.send_signal(signal.SIGINT)
        out, err = self.check(process)
        self.assertEqual(err, "")
        said = json.loads(out)
        self.assertEqual((said["exit"], said["result"]["outcome"]), (130, "finished"))
        self.assertIn("interrupted in the further runs", said["error"])

    def test_without_an_interrupt_they_are_in_the_same_file(self):
        self.ndsim("run", self.small, "--error-bars", "--prove-limits")
        result = self.result("out/small")
        self.assertIn("traffic.t.goodput", result["error_bars"])
        self.assertTrue([limit for limit in result["limits"] if "proof" in limit])

    def test_an_advice_is_kept(self):
        temporary = self.folder / "temporary"
        temporary.mkdir()
        process = self.start("advise", self.small, *self.LONGER, "--set", "traffic.t.size=4 KiB", "--target", "no RNR",
                             "--error-bars", "--seeds", "0", env={"TMPDIR": str(temporary)})
        self.addCleanup(process.kill)
        self.interrupt_in_error_bars(process, temporary)
        out, err = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(err, "ndsim: interrupted in the runs for error bars; the advice is complete\n")
        self.assertIn("none: interrupted", out)
        self.assertTrue((self.folder / "out/small-advice/advice.json").exists())

    # The search is over when error bars have their folder.
    def interrupt_in_error_bars(self, process, temporary):
        deadline = time.monotonic() + HANG
        while not list(temporary.glob("ndsim-*/points.ndjson")):
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
