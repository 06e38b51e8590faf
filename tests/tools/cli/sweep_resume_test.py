# Tests that a sweep goes on where it was stopped, and ndsim collect, which joins the shards of one.
# SPDX-License-Identifier: Apache-2.0
import json
import signal
import time

from support import HANG
from sweeps import DEPTHS, LONG, SweepTest


class Resuming(SweepTest):
    def test_order_and_number_of_processes_do_not_show(self):
        self.ndsim("sweep", "small.json", *DEPTHS, "-j", "1", "--out", "one")
        self.ndsim("sweep", "small.json", *DEPTHS, "-j", "7", "--out", "seven")
        self.assertEqual(self.digests("one"), self.digests("seven"))

    def test_interrupted_at_any_time_it_ends_with_the_same_files(self):
        self.ndsim("sweep", "small.json", *LONG, "--out", "whole")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            folder = f"cut{number}"
            for upto in (0, 3, 20):
                process = self.start("sweep", "small.json", *LONG, "--out", folder)
                deadline = time.monotonic() + HANG
                while self.known(folder) < upto and process.poll() is None:
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.002)
                process.send_signal(number)
                _, err = process.communicate(timeout=HANG)
                if process.returncode == 0:
                    continue  # it was done before the signal came
                if number == signal.SIGKILL:
                    self.assertEqual(process.returncode, -9)
                elif process.returncode != -number or upto > 0:  # at first it does not listen yet
                    self.assertEqual(process.returncode, 130)
                    self.assertRegex(err, r"^ndsim: interrupted; (\d+ of 40 points are done, and the same command "
                                          r"continues from there|nothing was run)\n$")
                self.assertFalse((self.folder / folder / "sweep.csv").exists())
            before = self.known(folder)
            self.assertGreaterEqual(before, 20)
            self.ndsim("sweep", "small.json", *LONG, "--out", folder)
            self.assertEqual(self.known(folder), 40)
            self.assertEqual(self.digests(folder), self.digests("whole"))

    def test_a_line_that_a_crash_cut_off_is_forgotten(self):
        self.ndsim("sweep", "small.json", *DEPTHS)
        before = self.digests("out/small-sweep")
        journal = self.folder / "out/small-sweep/points.ndjson"
        text = journal.read_bytes()
        journal.write_bytes(text[:-100])
        self.ndsim("sweep", "small.json", *DEPTHS)
        self.assertEqual(self.digests("out/small-sweep"), before)
        self.assertEqual(self.known(), 5)

    def test_a_line_that_lost_its_end_to_the_next_one_is_forgotten(self):
        self.ndsim("sweep", "small.json", *DEPTHS)
        before = self.digests("out/small-sweep")
        journal = self.folder / "out/small-sweep/points.ndjson"
        lines = journal.read_bytes().split(b"\n")
        lines[1:3] = [lines[1][:300] + lines[2]]
        journal.write_bytes(b"\n".join(lines))
        self.ndsim("sweep", "small.json", *DEPTHS)
        self.assertEqual(self.digests("out/small-sweep"), before)

    def test_more_points_are_run_and_known_ones_are_not(self):
        self.ndsim("sweep", "small.json", *DEPTHS)
        first = (self.folder / "out/small-sweep/points.ndjson").read_text(encoding="utf-8")
        self.ndsim("sweep", "small.json", "--vary", "nic.sq.depth=1..16")
        text = (self.folder / "out/small-sweep/points.ndjson").read_text(encoding="utf-8")
        self.assertTrue(text.startswith(first))
        self.assertEqual(self.known(), 16)
        self.assertEqual(len(self.rows()), 16)

    def test_another_scenario_is_run_anew_and_other_words_are_not(self):
        self.ndsim("sweep", "small.json", *DEPTHS)
        text = (self.folder / "small.json").read_text(encoding="utf-8")
        self.write("small.json", text.replace("a few messages", "some messages") + "// and a comment\n")
        self.ndsim("sweep", "small.json", *DEPTHS)
        self.assertEqual(self.known(), 5)
        self.write("small.json", text.replace('"count": 100', '"count": 101'))
        self.ndsim("sweep", "small.json", *DEPTHS)
        self.assertEqual(self.known(), 10)
        self.assertEqual({row["traffic.t.messages"] for row in self.rows()}, {"101"})

    def test_results_of_another_build_do_not_count(self):
        self.ndsim("sweep", "small.json", *DEPTHS)
        journal = self.folder / "out/small-sweep/points.ndjson"
        header, _, rest = journal.read_text(encoding="utf-8").partition("\n")
        journal.write_text(json.dumps(json.loads(header) | {"build": "0" * 32}) + "\n" + rest[:1] + rest,
                           encoding="utf-8")
        self.ndsim("sweep", "small.json", *DEPTHS)
        self.assertEqual(journal.read_text(encoding="utf-8").partition("\n")[0], header)
        self.assertEqual(self.known(), 5)

    def test_two_sweeps_do_not_share_a_folder(self):
        process = self.start("sweep", "small.json", "--set", "traffic.t.count=1000000000000", "--vary", "seed=1,2")
        self.addCleanup(process.kill)
        deadline = time.monotonic() + HANG
        while not (self.folder / "out/small-sweep/points.ndjson").exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        time.sleep(0.1)
        _, err = self.ndsim("sweep", "small.json", *DEPTHS, exit=7)
        self.assertIn("another sweep is running in this folder; give another folder with --out", err)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 130)


class Shards(SweepTest):
    def test_shards_make_the_same_files_as_the_whole(self):
        self.ndsim("sweep", "small.json", *DEPTHS, "--out", "whole")
        for number in (1, 2, 3):
            out, _ = self.ndsim("sweep", "small.json", *DEPTHS, "--shard", f"{number}/3", "--out", f"shard{number}")
            count = {1: 2, 2: 2, 3: 1}[number]  # points 0 and 3, 1 and 4, 2
            self.assertEqual(out, f"shard {number} of 3: {count} points are in shard{number}; ndsim collect joins the "
                                  "shards\n")
        self.ndsim("collect", "shard3", "shard1", "shard2", "--out", "joined")
        self.assertEqual(self.digests("joined"), self.digests("whole"))

    def test_missing_points_and_other_sweeps_are_told(self):
        self.ndsim("sweep", "small.json", *DEPTHS, "--shard", "1/2", "--out", "half")
        _, err = self.ndsim("collect", "half", "--out", "joined", exit=1)
        self.assertEqual(err, "ndsim: 2 of 5 points are missing, the first one is nic.sq.depth=2; nothing was written\n")
        self.assertFalse((self.folder / "joined").exists())
        self.ndsim("sweep", "small.json", "--vary", "seed=1", "--out", "other")
        _, err = self.ndsim("collect", "half", "other", exit=2)
        self.assertEqual(err, "ndsim: other is from a different sweep than half\n")
        _, err = self.ndsim("collect", "nothing", exit=2)
        self.assertIn("nothing is not the folder of a sweep", err)
        _, err = self.ndsim("collect", "other", "--metric", "traffic.t.goodputt", "--out", "joined", exit=2)
        self.assertEqual(err, 'ndsim: --metric: there is no metric "traffic.t.goodputt"; did you mean '
                              '"traffic.t.goodput"?\n')
        self.assertFalse((self.folder / "joined").exists())
        (self.folder / "half" / "sweep.json").write_text("{}", encoding="utf-8")
        _, err = self.ndsim("collect", "half", exit=2)
        self.assertIn("half/sweep.json is not a plan that ndsim sweep writes", err)
