# Tests the sub-commands that do not simulate: check, presets, schema, version, and the help of all.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import re
import shlex
import shutil
import subprocess

from support import HANG, LIBRARY, QUICKSTART, ROOT, CliTest

COMMANDS = ([], ["run"], ["explain"], ["compare"], ["wave"], ["report"], ["check"], ["presets"], ["presets", "list"], ["presets", "show"],
            ["metrics"], ["schema"], ["new"], ["version"], ["help"], ["completion"], ["manual"])


class Check(CliTest):
    def test_says_what_there_is(self):
        out, err = self.ndsim("check", self.small)
        self.assertEqual(out, "small.json: ok, 2 hosts, 2 queue pairs, 0 programs, 1 generator, 100 messages, "
                              "1 expectation\n")
        self.assertEqual(err, "")
        out, _ = self.ndsim("check", QUICKSTART)
        self.assertRegex(out, r"ok, 2 hosts, 2 queue pairs, 2 programs, 0 generators, 8 messages, ")
        self.assertEqual(os.listdir(self.folder), ["small.json"], "nothing is written")

    def test_every_library_scenario_is_right(self):
        for scenario in LIBRARY.glob("*.json"):
            self.ndsim("check", scenario)

    def test_a_huge_scenario_is_checked_at_once(self):
        out, _ = self.ndsim("check", self.small, "--set", "traffic.t.count=1000000000000", exit=5)  # of 10 s
        self.assertIn("1000000000000 messages", out)

    def test_shows_who_set_what(self):
        out, _ = self.ndsim("check", self.small, "--show-origin", "--set", "hosts.B.nic.rq.depth=64")
        rows = {line.split()[0]: line for line in out.splitlines()[2:]}
        self.assertRegex(rows["hosts.B.nic.rq.depth"], r" 64 +command line$")
        self.assertRegex(rows["hosts.A.nic.rq.depth"], r" 512 +preset$")
        self.assertRegex(rows["traffic.t.count"], r" 100 +file$")
        self.assertRegex(rows["traffic.t.think_time"], r" 0 ps +default$")

    def test_json(self):
        result = self.envelope("check", self.small, "--set", "nic.mtu=1024")["result"]
        self.assertEqual((result["hosts"], result["generators"], result["messages"]), (2, 1, 100))
        self.assertEqual(result["parameters"]["hosts.A.nic.mtu"], {"value": "1024", "origin": "command line"})


class Presets(CliTest):
    def test_list(self):
        out, _ = self.ndsim("presets", "list")
        self.assertEqual(out, self.ndsim("presets")[0])
        self.assertRegex(out, r"  B  sized like a ConnectX-5, 100G")
        self.assertEqual(list(self.envelope("presets", "list")["result"]), ["A", "B", "C", "D"])

    def test_show(self):
        out, _ = self.ndsim("presets", "show", "D")
        self.assertRegex(out, r"\n  parameter +value +mark +source +what it is\n")
        self.assertRegex(out, r"\n  pcie.generation +5 +documented +- +PCIe generation\n")
        self.assertRegex(out, r"\n  link.rate +400 Gbps +documented +- +")
        self.assertRegex(out, r"\n  cpu.poll_empty +10 ns +estimate +default +")

    def test_mark_and_source_are_those_of_the_preset_s_own_value(self):
        shown = {name: self.envelope("presets", "show", name)["result"] for name in "ABCD"}
        for name, path, said in (("A", "nic.inline_max", ("64", "estimate", "E")),
                                 ("B", "nic.inline_max", ("220", "seen", "S:cx3")),
                                 ("B", "iommu.page", ("4 KiB", "seen", "S:pb")),
                                 ("C", "iommu.page", ("2 MiB", "estimate", "E")),
                                 ("A", "nic.tx_fifo", ("32 KiB", "seen", "S:cor")),
                                 ("D", "nic.tx_fifo", ("256 KiB", "estimate", "E")),
                                 ("C", "root.strict_write_cap", ("150 Gbps", "estimate", "assumed, S:ucx8062"))):
            row = shown[name][path]
            self.assertEqual((row["value"], row["mark"], row["source"]), said, f"{name} {path}")

    def test_every_source_is_explained(self):
        page = (ROOT / "docs/model/sources.md").read_text(encoding="utf-8")
        explained = {"S"}.union(*(re.findall(r"`([^`]+)`", line.split("|")[1]) for line in page.splitlines()
                                  if line.startswith("| `")))
        for name in "ABCD":
            for path, row in self.envelope("presets", "show", name)["result"].items():
                for source in row["source"].split(", "):
                    self.assertIn(source.removeprefix("S:"), explained, path)


class Metrics(CliTest):
    def test_every_figure_of_a_run_is_listed_with_its_unit(self):
        listed = self.envelope("metrics", self.small)["result"]
        for name, metric in self.envelope("run", self.small)["result"]["metrics"].items():
            self.assertEqual(metric["unit"], listed[name]["unit"], name)
            self.assertTrue(listed[name]["sentence"], name)

    def test_parts_of_names_and_sentences_choose(self):
        out, err = self.ndsim("metrics", self.small, "traffic.t", "p99")
        rows = [line.split()[:2] for line in out.splitlines()]
        self.assertEqual(rows[0], ["metric", "unit"])
        self.assertIn(["traffic.t.latency.p99", "ps"], rows)
        self.assertEqual({"p99" in name for name, _ in rows[1:]}, {True})
        self.assertEqual(err, "")
        _, err = self.ndsim("metrics", self.small, "traffic.t", "p98", exit=2)
        self.assertTrue(err.endswith(" has traffic.t and p98 in its name or sentence\n"), err)


class Others(CliTest):
    def test_help_is_that_of_the_command(self):
        self.assertEqual(self.ndsim("help")[0], self.ndsim("--help")[0])
        self.assertEqual(self.ndsim("help", "run")[0], self.ndsim("run", "--help")[0])
        self.assertEqual(self.ndsim("help", "presets", "show")[0], self.ndsim("presets", "show", "--help")[0])

    def test_a_scenario_may_come_by_stdin(self):
        text = (self.folder / self.small).read_text(encoding="utf-8")

        def piped(*words, exit=0):
            with self.start(*words, stdin=subprocess.PIPE) as process:
                out, err = process.communicate(text, timeout=HANG)
            self.assertEqual(process.returncode, exit, err)
            return out, err

        self.assertIn("stdin: ok, 2 hosts", piped("check", "-")[0])
        piped("run", "-")
        self.assertTrue((self.folder / "out/stdin/result.json").is_file())
        piped("sweep", "-", "--vary", "traffic.t.window=1,2", "--out", "swept")  # whose points read it again
        by_file = self.envelope("sweep", self.small, "--vary", "traffic.t.window=1,2")["result"]
        rows = [(self.folder / folder / "sweep.csv").read_text() for folder in ("swept", by_file["folder"])]
        self.assertEqual(rows[0], rows[1])
        self.assertIn("--engine slurm: its tasks need a file to read, not stdin",
                      piped("sweep", "-", "--vary", "traffic.t.window=1,2", "--engine", "slurm", exit=2)[1])
        text = '{"hosts": {"A": {}, "B": 5}}'
        self.assertEqual(piped("run", "-", exit=3)[1],
                         "stdin:1:26: hosts.B: expected an object, got 5\nndsim: 1 problem; nothing was run\n")

    def test_short_options(self):
        self.assertEqual(self.ndsim("-V")[0], self.ndsim("--version")[0])
        self.assertEqual(self.ndsim("run", self.small, "-q"), ("", ""))
        _, err = self.ndsim("run", self.small, "-qv")
        self.assertRegex(err, r"ndsim: info: .*running small\.json")

    def test_schema_is_json(self):
        out, err = self.ndsim("schema")
        self.assertEqual(json.loads(out)["$schema"], "https://json-schema.org/draft/2020-12/schema")
        self.assertEqual(err, "")

    def test_new_writes_a_scenario_that_runs_and_the_schema_that_it_names(self):
        out, err = self.ndsim("new", "mine")
        self.assertEqual(err, "")
        self.assertIn("Next\n  ndsim run mine.jsonc\n", out)
        self.assertEqual((self.folder / "ndsim.schema.json").read_text(), self.ndsim("schema")[0])
        self.assertIn('"$schema": "./ndsim.schema.json",', (self.folder / "mine.jsonc").read_text())
        self.ndsim("run", "mine.jsonc")  # its expectation is met
        self.ndsim("new", self.folder / "sub.json")
        self.ndsim("check", self.folder / "sub.json")

    def test_commands_of_a_name_with_a_blank_can_be_copied(self):
        self.assertIn("Next\n  ndsim run 'my own.jsonc'\n", self.ndsim("new", "my own")[0])

    def test_new_overwrites_nothing(self):
        (self.folder / "mine.jsonc").write_text("mine")
        _, err = self.ndsim("new", "mine", exit=2)
        self.assertEqual(err, "ndsim: mine.jsonc: there is such a file already; it is not overwritten\n")
        self.assertEqual((self.folder / "mine.jsonc").read_text(), "mine")
        self.assertFalse((self.folder / "ndsim.schema.json").exists())
        for folder in ("folder/", ".", "..", "folder/.."):
            _, err = self.ndsim("new", folder, exit=2)
            self.assertEqual(err, f"ndsim: {folder}: expected the name of a file, got that of a folder\n")
        _, err = self.ndsim("new", "nowhere/mine", exit=7)
        self.assertIn("nowhere/", err)

    def test_the_steps_of_a_new_scenario_run_too(self):
        self.ndsim("new", "mine")
        text = (self.folder / "mine.jsonc").read_text()
        # As its comment says.
        (named,) = re.findall(r"\(delete (.*), and take the slashes away\)", text)
        for key in re.findall(r'"(\w+)"', named):
            text, deleted = re.subn(rf'  "{key}": (\{{.*?\n  \}}|\[.*?\n  \]|"[^"]*"),?\n', "", text, flags=re.S)
            self.assertEqual(deleted, 1, key)
        text = re.sub(r"^  // (?=\"programs|  |\},$)", "  ", text, flags=re.M)
        text = text.replace('"A": { "preset"', '"A": { "buffers": { "tx": { "size": "4 KiB" } }, "preset"')
        text = text.replace('"B": { "preset"', '"B": { "buffers": { "rx": { "size": "4 KiB" } }, "preset"')
        self.assertIn("ok, 2 hosts, 2 queue pairs, 2 programs, 0 generators, 1 message",
                      self.ndsim("check", self.write("steps.jsonc", text))[0])
        self.ndsim("run", "steps.jsonc")

    def test_version(self):
        out, err = self.ndsim("version")
        self.assertRegex(out, r"^ndsim \d+\.\d+\.\d+ \(SystemC \d+\.\d+\.\d+\)\n$")
        self.assertEqual(err, "", "no banner of SystemC")
        self.assertEqual(self.ndsim("--version")[0], out)
        self.assertEqual(list(self.envelope("version")["result"]), ["ndsim", "systemc"])

    def test_version_is_quick(self):
        self.assertLess(self.instructions("version"), 40_000_000)  # ten milliseconds

    def test_names_of_the_library_are_found(self):
        out, _ = self.ndsim("check", "quickstart")
        self.assertRegex(out, r"/quickstart\.json: ok, 2 hosts")
        self.assertEqual(self.ndsim("check", "quickstart.json")[0], out)
        self.ndsim("run", "quickstart")
        self.assertEqual(os.listdir(self.folder / "out"), ["quickstart"])
        (self.folder / "stream").mkdir()  # no scenario
        self.assertRegex(self.ndsim("check", "stream")[0], r"/stream\.json: ok, 2 hosts")
        # A file of that name comes first, and a path is a path.
        self.write("quickstart", (self.folder / self.small).read_text(encoding="utf-8"))
        self.assertEqual(self.ndsim("check", "quickstart")[0].split(":")[0], "quickstart")
        _, err = self.ndsim("check", "./quickstart.json", exit=3)
        self.assertIn("cannot be opened", err)
        _, err = self.ndsim("check", "quikstart", exit=3)
        self.assertRegex(err, r"quikstart: cannot be opened: .* \(did you mean quickstart, of the library\?\)\n")

    def bash_completes(self, *words):
        script = (self.folder / "completion")
        script.write_text(self.ndsim("completion", "bash")[0], encoding="utf-8")
        line = " ".join(shlex.quote(word) for word in ("ndsim", *words))
        said = subprocess.run(["bash", "-c", f'. {script}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _ndsim; '
                               'printf "%s\\n" "${COMPREPLY[@]}"'], check=True, capture_output=True, text=True,
                              cwd=self.folder)
        self.assertEqual(said.stderr, "")
        return said.stdout.split()

    def test_bash_completes_commands_options_and_files(self):
        self.assertEqual(self.bash_completes("swe"), ["sweep"])
        self.assertEqual(self.bash_completes("--ver"), ["--version"])
        self.assertEqual(self.bash_completes("run", "--no-w"), ["--no-waves"])
        self.assertEqual(self.bash_completes("run", "smal"), ["small.json"])
        self.assertEqual(self.bash_completes("run", "small.json", "--set", "a=b", "--qui"), ["--quiet"])
        self.assertEqual(self.bash_completes("presets", "sh"), ["show"])
        self.assertEqual(self.bash_completes("presets", "show", "--h"), ["--help"])

    def test_zsh_takes_its_completion(self):
        script = (self.folder / "_ndsim")
        script.write_text(self.ndsim("completion", "zsh")[0], encoding="utf-8")
        text = script.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("#compdef ndsim\n"))
        self.assertIn("'*--set=[", text)
        self.assertIn("'--quiet[", text)
        if shutil.which("zsh") is None:
            self.skipTest("zsh is not installed")
        done = subprocess.run(["zsh", "-n", str(script)], check=False, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_manual_has_every_command_and_every_option(self):
        text = self.ndsim("manual")[0].replace("\\-", "-")
        self.assertTrue(text.startswith(".TH NDSIM 1 "))
        for words in COMMANDS:
            if words:
                self.assertIn(f".SS ndsim {' '.join(words)}\n", text)
            for option in re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", self.ndsim(*words, "--help")[0], re.MULTILINE):
                self.assertIn(f"\\fB{option}\\fR", text)

    def test_every_help_has_an_example_that_succeeds(self):
        shutil.copytree(LIBRARY, self.folder / "scenarios" / "library")
        self.ndsim("run", "scenarios/library/stream.json")
        for words in COMMANDS:
            out, err = self.ndsim(*words, "--help")
            self.assertEqual(err, "")
            example = re.search(r"\nExample: ndsim ([^>\n]*)", out)
            self.ndsim(*example[1].split(), exit=1 if words == ["compare"] else 0)
