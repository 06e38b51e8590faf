# Tests that a sweep goes on where it was stopped, and ndsim collect, which joins the shards of one.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import re
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

    def test_interrupted_while_it_writes_tables_it_leaves_none(self):
        many = ["--vary", "traffic.t.window=1..250", "--set", "traffic.t.count=250"]
        self.ndsim("sweep", "small.json", *many, "--out", "many")
        before = self.digests("many")
        part = self.folder / "many" / "sweep.sqlite.part"
        for command in (("sweep", "small.json", *many, "--out", "many"), ("collect", "many", "--out", "many")):
            process = self.start(*command)
            deadline = time.monotonic() + HANG
            while not part.exists():
                self.assertLess(time.monotonic(), deadline)
                self.assertIsNone(process.poll(), "it ended by itself")
                time.sleep(0.002)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=HANG)
            self.assertEqual(process.returncode, 130)
            self.assertRegex(err, "interrupted; (250 of 250 points are done|no tables are written)")
            for name in ("sweep.sqlite.part", "sweep.sqlite", "sweep.csv"):
                self.assertFalse((self.folder / "many" / name).exists())
        self.ndsim("sweep", "small.json", *many, "--out", "many")
        self.assertEqual(self.digests("many"), before)

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

    # Damages a finished sweep; the next one warns of that many lines, repeats their points, and warns no more.
    def mend(self, damage, lines, blank):
        if not hasattr(self, "whole"):
            self.ndsim("sweep", "small.json", *DEPTHS, "-q")
            self.whole = self.digests("out/small-sweep")
        journal = self.folder / "out/small-sweep/points.ndjson"
        before = journal.read_bytes()
        journal.write_bytes(damage(before))
        _, err = self.ndsim("sweep", "small.json", *DEPTHS, "-q")
        are = "line is" if lines == 1 else "lines are"
        self.assertEqual(err, f"ndsim: warning: out/small-sweep/points.ndjson: {lines} damaged {are} left out; what is "
                              "missing runs again\n")
        self.assertEqual(self.digests("out/small-sweep"), self.whole)
        after = journal.read_bytes()
        self.assertEqual(after.count(b'{"key":"'), 5)
        lines_of = [[line for line in text.splitlines() if line.startswith(b'{"key":"')] for text in (before, after)]
        self.assertEqual(sorted(lines_of[0]), sorted(lines_of[1]), "a point that runs again has the same line")
        self.assertEqual(sum(line.strip() == b"" for line in after.splitlines()) > 0, blank)
        _, err = self.ndsim("sweep", "small.json", *DEPTHS, "-q")
        self.assertEqual(err, "")
        self.assertEqual(journal.read_bytes(), after)
        journal.write_bytes(b"\n".join(line for line in after.splitlines() if line.strip()) + b"\n")

    def test_damaged_lines_are_left_out_and_told(self):
        def replaced(text, at, by):
            return text[:at] + by + text[at + len(by):]

        def second(text):
            return text.index(b"\n", text.index(b"\n") + 1) + 1

        self.mend(lambda text: replaced(text, second(text) + 200, bytes(100)), 1, True)
        # One byte of the number behind "value": any other digit would be as good a number.
        self.mend(lambda text: replaced(text, text.index(b'"value":', second(text)) + 8,
                                        b"7" if text[text.index(b'"value":', second(text)) + 8:][:1] != b"7" else b"8"),
                  1, True)
        self.mend(lambda text: replaced(text, text.index(b"finished", second(text)), b"finnished"[:8]), 1, True)
        # Two lines become one.
        self.mend(lambda text: replaced(text, second(text) - 1, b"\0"), 1, True)
        # The first line: its build is known from the sums of the others.
        self.mend(lambda text: replaced(text, 3, b"\0" * 10), 1, False)
        self.mend(lambda text: replaced(text, text.index(b"build") + 8, b"????"), 1, False)
        # The end, as a power cut leaves it.
        self.mend(lambda text: text[:-50] + bytes(4096), 1, False)
        # All of it, in one line without an end.
        self.mend(lambda text: bytes(4096), 1, False)

    def test_collect_tells_of_damaged_lines(self):
        self.ndsim("sweep", "small.json", *DEPTHS, "-q", "--out", "whole")
        journal = self.folder / "whole/points.ndjson"
        journal.write_bytes(journal.read_bytes().replace(b"finished", b"finishes", 1))
        before = journal.read_bytes()
        _, err = self.ndsim("collect", "whole", "--out", "joined", exit=1)
        self.assertEqual(err.splitlines()[0], "ndsim: warning: whole/points.ndjson: 1 damaged line is left out")
        self.assertIn("1 of 5 points are missing", err)
        self.assertEqual(journal.read_bytes(), before)

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
        # The sums are of the build, too.
        rest = re.sub('"sum":"[0-9a-f]*"', f'"sum":"{"0" * 32}"', rest)
        journal.write_text(json.dumps(json.loads(header) | {"build": "0" * 32}) + "\n" + rest, encoding="utf-8")
        _, err = self.ndsim("sweep", "small.json", *DEPTHS, "-q")
        self.assertEqual(err, "")
        self.assertEqual(journal.read_text(encoding="utf-8").partition("\n")[0], header)
        self.assertEqual(self.known(), 5)

    def test_two_sweeps_do_not_share_a_folder(self):
        self.ndsim("sweep", "small.json", *DEPTHS, "--out", "done")
        process = self.start("sweep", "small.json", "--set", "traffic.t.count=1000000000000", "--vary", "seed=1,2")
        self.addCleanup(process.kill)
        deadline = time.monotonic() + HANG
        while not (self.folder / "out/small-sweep/sweep.json").exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        before = (self.folder / "out/small-sweep/sweep.json").read_bytes()
        for words in (("sweep", "small.json", *DEPTHS), ("run", "small.json", "--out", "out/small-sweep"),
                      ("collect", "done", "--out", "out/small-sweep")):
            _, err = self.ndsim(*words, exit=7)
            self.assertEqual(err, "ndsim: out/small-sweep: another command of ndsim is writing to this folder; give "
                                  "another folder with --out\n")
        self.assertEqual((self.folder / "out/small-sweep/sweep.json").read_bytes(), before)
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
        out, _ = self.ndsim("collect", "shard3", "shard1", "shard2", "--out", "joined")
        named = re.findall(r"^  (\S+)  ", out.partition("Results in joined\n")[2], re.MULTILINE)
        self.assertEqual(named, ["sweep.csv", "sweep.ndjson", "sweep.sqlite"])
        self.assertEqual(sorted(os.listdir(self.folder / "joined")), [*named[:1], "sweep.json", *named[1:]])
        self.assertEqual(self.digests("joined"), self.digests("whole"))

    def test_shards_of_two_builds_are_not_joined(self):
        for number in (1, 2):
            self.ndsim("sweep", "small.json", *DEPTHS, "--shard", f"{number}/2", "--out", f"shard{number}")
        journal = self.folder / "shard2/points.ndjson"
        header, _, rest = journal.read_text(encoding="utf-8").partition("\n")
        journal.write_text(json.dumps(json.loads(header) | {"build": "0" * 32}) + "\n" + rest, encoding="utf-8")
        _, err = self.ndsim("collect", "shard1", "shard2", "--out", "joined", exit=2)
        self.assertIn("ndsim: shard2 was made by another build of ndsim than shard1\n", err)
        self.assertFalse((self.folder / "joined").exists())

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
