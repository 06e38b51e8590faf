# Tests where "ndsim run" writes to: folders it may not use, the same bytes each time, terminals.
# SPDX-License-Identifier: Apache-2.0
import csv
import filecmp
import json
import os
import re
import shutil
import unittest

from support import LIBRARY, QUICKSTART, STREAM, CliTest


class Folder(CliTest):
    def refuse(self, folder, message):
        out, err = self.ndsim("run", self.small, "--out", folder, exit=7)
        self.assertEqual(out, "", "before anything runs")
        self.assertEqual(err, f"ndsim: {message}; give another folder with --out\n")

    def test_a_file_in_place_of_the_folder(self):
        self.write("file", "mine")
        self.refuse("file", "file: is not a folder")
        self.refuse("file/x/y", "file: is not a folder")
        self.assertEqual((self.folder / "file").read_text(), "mine")

    def test_a_folder_that_cannot_be_made(self):
        self.refuse("/proc/ndsim", "/proc/ndsim: cannot be created: No such file or directory")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_without_the_right_to_write(self):
        os.mkdir(self.folder / "closed", 0o555)
        self.refuse("closed", "closed: cannot be written to: Permission denied")

    def test_an_old_output_that_cannot_be_replaced(self):
        os.makedirs(self.folder / "old" / "result.json" / "x")
        _, err = self.ndsim("run", self.small, "--out", "old", exit=7)
        self.assertEqual(err, "ndsim: old/result.json: is a folder; give another folder with --out\n")
        self.ndsim("run", self.small, "--out", "ours")
        os.makedirs(self.folder / "ours" / "report.html" / "x")
        _, err = self.ndsim("run", self.small, "--out", "ours", exit=7)
        self.assertIn("ours/report.html: is from an earlier run and cannot be removed", err)

    def test_parents_are_made_and_other_files_stay(self):
        os.makedirs(self.folder / "a/b")
        self.write("a/b/notes.txt", "mine")
        self.ndsim("run", self.small, "--out", "a/b/c")
        self.ndsim("run", self.small, "--out", "a/b")
        self.assertEqual(sorted(os.listdir(self.folder / "a/b")), ["c", "completions.csv", "notes.txt", "result.json"])

    def files(self, folder):
        return {path.name: path.read_text() for path in (self.folder / folder).iterdir() if path.is_file()}

    MINE = ("waves.vcd", "packets.pcapng", "timeline.json", "report.html", "sweep.csv", "sweep.ndjson", "sweep.sqlite")

    def test_only_a_run_of_ndsim_is_cleared(self):
        for others in ({}, {"result.json": '{"score": 3, "ndsim": true}'}, {"completions.csv": "my,own\n"}):
            shutil.rmtree(self.folder / "mine", ignore_errors=True)
            os.mkdir(self.folder / "mine")
            for name, text in (dict.fromkeys(self.MINE, "mine") | others).items():
                self.write(f"mine/{name}", text)
            self.ndsim("run", self.small, "--out", "mine")
            files = self.files("mine")
            self.assertEqual({name: files[name] for name in self.MINE}, dict.fromkeys(self.MINE, "mine"))
            self.assertIn('"ndsim"', files["result.json"])
            # Now it is a run's folder.
            self.ndsim("run", self.small, "--out", "mine")
            self.assertEqual(set(self.files("mine")),
                             {"result.json", "completions.csv", "sweep.csv", "sweep.ndjson", "sweep.sqlite"})

    def test_what_is_recorded_replaces_what_is_there(self):
        os.mkdir(self.folder / "mine")
        for name in self.MINE:
            self.write(f"mine/{name}", "mine")
        self.ndsim("run", self.small, "--out", "mine", "--waves")
        self.assertIn("$var", self.files("mine")["waves.vcd"])
        self.assertEqual(self.files("mine")["report.html"], "mine")

    def test_a_run_that_was_killed_is_cleared(self):
        self.ndsim("run", self.small, "--out", "killed", "--waves")
        (self.folder / "killed/result.json").unlink()
        self.ndsim("run", self.small, "--out", "killed")
        self.assertEqual(set(self.files("killed")), {"result.json", "completions.csv"})

    def test_a_journal_of_somebody_else_is_refused(self):
        os.mkdir(self.folder / "mine")
        before = dict.fromkeys((*self.MINE, "sweep.json"), "mine")
        for journal in ("mine", "mine\nof mine\n", '{"points": 3}\n{"points": 4}\n', " \n"):
            for name, text in (before | {"points.ndjson": journal}).items():
                self.write(f"mine/{name}", text)
            for words in (("sweep", self.small, "--vary", "seed=1,2"), ("sensitivity", self.small),
                          ("advise", self.small, "--target", "no RNR")):
                _, err = self.ndsim(*words, "--out", "mine", exit=7)
                self.assertEqual(err, "ndsim: mine/points.ndjson: is not a journal of ndsim; give another folder with "
                                      "--out\n")
                self.assertEqual(self.files("mine"), before | {"points.ndjson": journal})

    def test_in_the_envelope(self):
        self.write("file", "")
        self.assertEqual(self.envelope("run", self.small, "--out", "file", exit=7)["error"],
                         "file: is not a folder; give another folder with --out")


class SameBytes(CliTest):
    def assert_same(self, one, other):
        compared = filecmp.dircmp(self.folder / one, self.folder / other)
        self.assertEqual(compared.left_only + compared.right_only, [])
        for name in compared.common_files:
            self.assertEqual((self.folder / one / name).read_bytes(), (self.folder / other / name).read_bytes(), name)
        for name in compared.common_dirs:
            self.assert_same(f"{one}/{name}", f"{other}/{name}")

    def test_two_runs_of_a_scenario(self):
        os.mkdir(self.folder / "elsewhere")
        for scenario in (QUICKSTART, STREAM, str(LIBRARY / "sockets.json")):
            with self.subTest(scenario):
                recorded = ("--waves", "--packets", "--timeline")
                first = self.ndsim("run", scenario, *recorded, "--out", "first")
                copy = shutil.copy(scenario, self.folder / "elsewhere")
                second = self.ndsim("run", os.path.relpath(copy, self.folder), *recorded, "--out", "second",
                                    env={"LC_ALL": "C", "TZ": "Asia/Tokyo",
                                         "GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=1024"})  # other addresses
                self.assert_same("first", "second")
                there = re.compile(r"(ndsim advise) \S+")  # where the file is
                self.assertEqual(there.sub(r"\1", first[0].replace("first", "second")), there.sub(r"\1", second[0]))


class Terminal(CliTest):
    LONG = ("--set", "traffic.t.count=1000000000000", "--set", "outputs.completions=false", "--set", "limits.time=1 s",
            "--set", "limits.items=8000000")

    def test_colour_is_as_it_is_asked_for(self):
        self.assertNotIn("\033", self.on_terminal("run", self.small, stream="stdout", env={"TERM": "dumb"}))
        self.assertNotIn("\033", self.on_terminal("run", self.small, "--color=never", stream="stdout"))
        self.assertIn("\033", self.ndsim("run", self.small, "--color", "always")[0])
        self.assertIn("\033", self.ndsim("run", self.small, env={"CLICOLOR_FORCE": "1"})[0])
        self.assertIn("\033", self.ndsim("run", self.small, "--color=always", env={"NO_COLOR": "1"})[0])

    def test_colour_is_for_terminals_without_no_color(self):
        self.assertNotIn("\033", self.ndsim("run", self.small)[0])
        self.assertIn("\033[32mfinished\033[0m", self.on_terminal("run", self.small, stream="stdout"))
        self.assertNotIn("\033", self.on_terminal("run", self.small, stream="stdout", env={"NO_COLOR": "1"}))

    def test_progress_is_for_terminals(self):
        text = self.on_terminal("run", self.small, *self.LONG, stream="stderr", env={"NO_COLOR": "1"})
        line = re.compile(r"\rsmall  \[=* *\] [0-9.]+ %, ETA (\d+ d )?[^,]+, \d+/1000000000000 messages")
        self.assertRegex(text, line)
        self.assertRegex(text, r"\r\033\[Kndsim: stopped at a limit")  # the line is gone before anything else comes
        self.assertNotIn("\r", self.ndsim("run", self.small, *self.LONG, exit=5)[1])
        self.assertNotIn("messages,", self.on_terminal("run", self.small, *self.LONG, "--quiet", stream="stderr"))

    def test_the_runs_that_prove_limits_have_a_bar(self):
        longer = ("--set", "traffic.t.count=200000", "--set", "outputs.completions=false", "--prove-limits")
        text = self.on_terminal("run", self.small, *longer, stream="stderr", env={"NO_COLOR": "1"})
        self.assertRegex(text, r"\rlimits  \[=* *\] [0-9.]+ %, ETA [^,]+, \d+/\d+ runs")
        self.assertNotIn(" runs,", self.on_terminal("run", self.small, *longer, "--quiet", stream="stderr"))


# A's requests: one Write is polled; a silent one before it is told of by that; two more complete and are not polled; a
# silent one behind them has nothing that tells of it; a Write beyond the end of B's buffer fails, and what is posted
# behind it is cancelled. B posts three receives, for which no message comes: the end of the connection cancels them, and
# one is polled.
FATES = """{
  "hosts": { "A": { "buffers": { "m": { "size": "64 B" } }, "qps": { "q0": {}, "q1": {} } },
             "B": { "buffers": { "m": { "size": "64 B" } }, "qps": { "q0": {}, "q1": {} } } },
  "programs": {
    "A": [
      { "post": "write", "buffer": "m", "to": "B.m", "flags": ["silent_success"] },
      { "post": "write", "buffer": "m", "to": "B.m" }, { "poll": "q0.send" },
      { "post": "write", "buffer": "m", "to": "B.m", "count": 2 },
      { "post": "write", "buffer": "m", "to": "B.m", "flags": ["silent_success"] },
      { "sleep": "100 us" },
      { "post": "write", "qp": "q1", "buffer": "m", "size": "64 B", "to": "B.m", "to_offset": "1 B" },
      { "post": "write", "qp": "q1", "buffer": "m", "to": "B.m" },
      { "poll": "q1.send", "count": 2 }
    ],
    "B": [ { "post": "receive", "qp": "q1", "buffer": "m", "count": 3 },
           { "post": "receive", "qp": "q0", "buffer": "m" }, { "poll": "q1.receive" } ]
  }
}
"""


class Requests(CliTest):
    def test_each_request_has_a_fate(self):
        self.write("fates.json", FATES)
        out, _ = self.ndsim("run", "fates.json", exit=1)  # the connection of q1 ends by an error
        self.assertIn("requests of A: 2 completed and never polled, 1 of which no completion tells\n"
                      "requests of B: 2 completed and never polled\n", out)
        a, b = json.loads((self.folder / "out/fates/result.json").read_text())["requests"]
        nothing = dict.fromkeys(("succeeded", "failed", "flushed", "silent", "untold", "unpolled", "unused",
                                 "in_flight"), 0)
        self.assertEqual(a, nothing | {"host": "A", "posted": 7, "succeeded": 1, "silent": 1, "unpolled": 2, "untold": 1,
                                       "failed": 1, "flushed": 1})
        self.assertEqual(b, nothing | {"host": "B", "posted": 4, "flushed": 1, "unpolled": 2, "unused": 1})

    def test_a_message_whose_completion_is_lost_is_untold(self):
        # B's queue holds four completions. What A knows to have arrived beyond these was taken by receives of which
        # nobody hears; B's other receives are cancelled, which nobody hears of, either.
        self.write("lost.json", """{
          "hosts": { "A": { "buffers": { "m": { "size": "64 B" } } },
                     "B": { "buffers": { "m": { "size": "64 B" } },
                            "cqs": { "c": { "depth": 4 } }, "qps": { "q0": { "receive_cq": "c" } } } },
          "programs": {
            "A": [ { "sleep": "50 us" }, { "post": "send", "buffer": "m", "count": 8, "as": "s" },
                   { "poll": "q0.send", "count": 8 } ],
            "B": [ { "post": "receive", "buffer": "m", "count": 8 }, { "sleep": "300 us" },
                   { "poll": "q0.receive", "count": 4 } ]
          },
          "expect": [ { "completion": "A.s[4]", "status": "success" },
                      { "metric": "B.nic.cq.overruns", "at_least": 1 } ]
        }""")
        self.ndsim("run", "lost.json")
        a, b = json.loads((self.folder / "out/lost/result.json").read_text())["requests"]
        self.assertEqual(b["succeeded"], 4)
        self.assertEqual(b["untold"], a["succeeded"] - 4)
        self.assertEqual(b["unused"], 8 - a["succeeded"])

    def test_compared_memory_is_named_with_its_place(self):
        self.write("places.json", """{
          "hosts": { "A": { "buffers": { "m": { "size": "128 B" } } }, "B": { "buffers": { "m": { "size": "128 B" } } } },
          "programs": { "A": [ { "sleep": "1 us" } ] },
          "expect": [ { "memory": "A.m", "equals": "B.m", "size": "64 B" },
                      { "memory": "A.m", "equals": "B.m", "offset": "64 B", "size": "64 B" } ]
        }""")
        self.ndsim("run", "places.json")
        verdicts = json.loads((self.folder / "out/places/result.json").read_text())["expectations"]
        self.assertEqual([verdict["what"] for verdict in verdicts],
                         ["64 bytes of A.m equal B.m", "64 bytes of A.m equal B.m, from byte 64 on"])

    def test_what_a_limit_leaves_in_flight(self):
        # A receive comes after limits.time, and the NIC asks for it until then.
        self.write("late.json", """{
          "hosts": { "A": { "buffers": { "m": {} }, "nic": { "overflow": "rnr", "rnr_retry": 7 } },
                     "B": { "buffers": { "m": {} }, "nic": { "overflow": "rnr", "rnr_retry": 7 } } },
          "programs": { "A": [ { "post": "send", "buffer": "m", "count": 3 } ],
                        "B": [ { "sleep": "2 ms" }, { "post": "receive", "buffer": "m" } ] },
          "limits": { "time": "1 ms" } }""")
        out, _ = self.ndsim("run", "late.json", exit=5)
        self.assertIn("requests of A: 3 in flight at the end\n", out)
        out, _ = self.ndsim("run", "late.json", "--set", "limits.time=1 us", exit=5)
        self.assertNotIn("requests of", out)

    def shown_by_cq(self, folder, host):
        """The requests that the waveform shows at the host's completion engine."""
        path, codes, shown = [], set(), set()
        for line in (folder / "waves.vcd").read_text().splitlines():
            words = line.split()
            if words[:2] == ["$scope", "module"]:
                path.append(words[2])
            elif words[:1] == ["$upscope"]:
                path.pop()
            elif words[:1] == ["$var"] and path == [host, "nic", "cq"] and words[4] == "request":
                codes.add(words[3])
            elif len(words) == 2 and words[1] in codes:
                shown.add(words[0].removeprefix("s"))
        return shown - {"-"}

    def test_which_requests_of_a_waveform_have_no_row(self):
        self.write("fates.json", FATES)
        for scenario, ends in (("fates.json", 1), (str(LIBRARY / "disconnect-with-work-in-flight.json"), 0),
                               (str(LIBRARY / "cq-overrun.json"), 0), (str(LIBRARY / "rnr-recovery.json"), 0)):
            with self.subTest(scenario):
                self.ndsim("run", scenario, "--waves", "--out", "o", exit=ends)
                folder = self.folder / "o"
                with open(folder / "completions.csv", encoding="utf-8") as file:
                    rows = {row["request"] for row in csv.DictReader(file)}
                for fates in json.loads((folder / "result.json").read_text())["requests"]:
                    host = fates["host"]
                    shown = self.shown_by_cq(folder, host)
                    self.assertTrue(shown)
                    without = shown - rows
                    # An entry that a queue which overran has lost leaves its request in flight.
                    self.assertLessEqual(len(without), fates["unpolled"] + fates["in_flight"], host)
                    if scenario == "fates.json":
                        # As above, two are unpolled at each. B's are cancelled at one time, and of several values at
                        # one time a waveform shows the last.
                        self.assertEqual(len(without), {"A": 2, "B": 1}[host])
