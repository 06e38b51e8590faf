# Tests outputs that can no longer be written in the midst of "ndsim run": what was written stays whole.
# SPDX-License-Identifier: Apache-2.0
import os
import resource
import unittest

import pcapng
import timeline
from support import CliTest


def limit_files_to(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


class FullDisk(CliTest):
    # A limit of the size of files is met like a full disk: write() fails in the midst of a run.
    SIZE = 200_000  # result.json fits
    MANY = ("--set", "traffic.t.count=10000")

    def test_completions_keep_whole_lines(self):
        out, err = self.ndsim("run", self.small, *self.MANY, exit=7, preexec_fn=limit_files_to(self.SIZE))
        self.assertIn("finished after", out)
        self.assertIn("NOT written, or incomplete: out/small/completions.csv: File too large", out)
        self.assertEqual(err, "ndsim: an output could not be written: out/small/completions.csv: File too large\n")
        self.assertNotIn("one line for each request", out)
        self.assertNotIn("ndsim explain", out)
        self.assertIn("ndsim report out/small\n", out)
        text = (self.folder / "out/small/completions.csv").read_text()
        self.assertTrue(text.endswith("\n"))
        self.assertGreater(len(text), self.SIZE - 1000)
        columns = {line.count(",") for line in text.splitlines()}
        self.assertEqual(len(columns), 1, "every line is whole")
        self.assertEqual(self.result("out/small")["outcome"], "finished")

    def test_waves_keep_whole_steps(self):
        out, err = self.ndsim("run", self.small, *self.MANY, "--waves", "--set", "outputs.completions=false", exit=7,
                              preexec_fn=limit_files_to(self.SIZE))
        self.assertIn("stopped, as an output could not be written, after", out)
        self.assertEqual(err, "ndsim: an output could not be written: out/small/waves.vcd: File too large\n")
        text = (self.folder / "out/small/waves.vcd").read_text()
        self.assertTrue(text.endswith("\n"))
        self.assertGreater(len(text), self.SIZE - 1000)
        self.assertRegex(text.splitlines()[-1], r"^(#\d+|[01]\S+|b[01]+ \S+)$")

    def test_packets_are_whole(self):
        out, err = self.ndsim("run", self.small, *self.MANY, "--packets", "--set", "outputs.completions=false", exit=7,
                              preexec_fn=limit_files_to(self.SIZE))
        self.assertIn("finished after", out)
        self.assertEqual(err, "ndsim: an output could not be written: out/small/packets.pcapng: File too large\n")
        self.assertGreater((self.folder / "out/small/packets.pcapng").stat().st_size, self.SIZE - 1000)
        self.assertGreater(len(pcapng.packets(self.folder / "out/small/packets.pcapng")), 0)
        self.assertEqual(self.result("out/small")["outcome"], "finished")

    def test_a_timeline_is_whole(self):
        out, err = self.ndsim("run", self.small, *self.MANY, "--timeline", "--set", "outputs.completions=false", exit=7,
                              preexec_fn=limit_files_to(self.SIZE))
        self.assertIn("finished after", out)
        self.assertEqual(err, "ndsim: an output could not be written: out/small/timeline.json: File too large\n")
        self.assertGreater((self.folder / "out/small/timeline.json").stat().st_size, self.SIZE - 1000)
        self.assertGreater(len(timeline.events(self.folder / "out/small/timeline.json")), 1000)
        self.assertEqual(self.result("out/small")["outcome"], "finished")

    def test_a_compressed_timeline_is_whole(self):
        _, err = self.ndsim("run", self.small, *self.MANY, "--set", "outputs.timeline.compressed=true",
                            "--set", "outputs.completions=false", exit=7, preexec_fn=limit_files_to(self.SIZE))
        self.assertEqual(err, "ndsim: an output could not be written: out/small/timeline.json.gz: File too large\n")
        # Compressed pieces of 256 KiB of text are left out as a whole.
        self.assertGreater((self.folder / "out/small/timeline.json.gz").stat().st_size, self.SIZE - 50_000)
        self.assertGreater(len(timeline.events(self.folder / "out/small/timeline.json.gz")), 10_000)

    def test_a_result_that_does_not_fit_is_not_there_at_all(self):
        out, err = self.ndsim("run", self.small, "--set", "traffic.t.count=1", exit=7, preexec_fn=limit_files_to(3000))
        self.assertIn("out/small/result.json: File too large", err)
        self.assertNotIn("result.json      all", out)
        for command in ("explain", "report"):
            self.assertNotIn(f"ndsim {command} ", out)
        self.assertIn("ndsim advise ", out)
        self.assertEqual(os.listdir(self.folder / "out/small"), ["completions.csv"])

    def test_without_a_result_and_a_generator_there_is_nothing_next(self):
        self.write("program.json", """{ "hosts": { "A": { "buffers": { "b": {} } }, "B": {} },
            "programs": { "A": [ { "post": "receive", "buffer": "b" } ] } }""")
        out, _ = self.ndsim("run", "program.json", exit=7, preexec_fn=limit_files_to(3000))
        self.assertNotIn("Next", out)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_stdout_that_cannot_be_written(self):
        for words in (["run", self.small], ["run", self.small, "--json"], ["schema"], ["presets"], ["version"], ["--help"],
                      ["run", "--help"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                _, err = self.ndsim(*words, exit=7, stdout=full)
            self.assertEqual(err, "ndsim: stdout: No space left on device\n")
