# Tests what "ndsim" says to scenarios and command lines that are wrong: clearly, all at once, and with the right code.
# SPDX-License-Identifier: Apache-2.0
import os

from support import SMALL, STREAM, CliTest

HOSTS = '"hosts": { "A": {}, "B": {} }'


class BadScenario(CliTest):
    def refuse(self, text, *messages):
        """The file is refused by run and by check, which say these lines and nothing else; nothing is written."""
        self.write("bad.json", text)
        count = f"{len(messages)} problem{'s' if len(messages) > 1 else ''}"
        for command in ("run", "check"):
            out, err = self.ndsim(command, "bad.json", exit=3)
            self.assertEqual(out, "")
            self.assertEqual(err.splitlines(), [*messages, f"ndsim: {count}; nothing was run"])
        self.assertFalse((self.folder / "out").exists())

    def test_wrong_unit(self):
        self.refuse('{ "hosts": { "A": {}, "B": {} },\n  "links": { "l0": { "rate": "100 GB/s" } } }',
                    'bad.json:2:30: links.l0.rate: unknown unit "GB/s"; rates are in bits per second, eight to a byte: '
                    'Gbps')

    def test_no_unit(self):
        self.refuse('{ "hosts": { "A": {}, "B": {} },\n  "links": { "l0": { "rate": 400 } } }',
                    'bad.json:2:30: links.l0.rate: expected a number and a unit, such as "1 Gbps", got 400')

    def test_unknown_key(self):
        self.refuse(f'{{ {HOSTS},\n  "trafic": {{}} }}', 'bad.json:2:3: unknown key "trafic"; did you mean "traffic"?')

    def test_duplicate_key(self):
        self.refuse('{ "hosts": { "A": {}, "B": {},\n  "A": {} } }',
                    'bad.json:2:3: hosts: duplicate key "A" (first at 1:14)')

    def test_missing_host(self):
        self.refuse(f'{{ {HOSTS},\n  "traffic": {{ "t": {{ "from": "A", "to": "C" }} }} }}',
                    'bad.json:2:42: traffic.t.to: there is no host "C" (known are A, B)')

    def test_neither_host_nor_queue_pair(self):
        self.refuse(f'{{ {HOSTS},\n  "traffic": {{ "t": {{ "from": "A", "to": "B.q9.x" }} }} }}',
                    'bad.json:2:42: traffic.t.to: expected a host or a queue pair, such as "A" or "A.q0", got "B.q9.x"')

    def test_no_hosts(self):
        self.refuse("{}", 'bad.json:1:1: "hosts" is missing (the hosts by name: at least two, or a single one without a peer)')

    def test_negative_depth_and_depth_0(self):
        self.refuse('{ "hosts": {\n "A": { "nic": { "sq": { "depth": -1 } } },\n'
                    ' "B": { "nic": { "rq": { "depth": 0 } } } } }',
                    "bad.json:2:35: hosts.A.nic.sq.depth: expected 1 .. 32768, got -1",
                    "bad.json:3:35: hosts.B.nic.rq.depth: expected 1 .. 32768, got 0")

    def test_empty_file(self):
        self.refuse("", "bad.json:1:1: the file is empty")

    def test_half_a_file(self):
        self.refuse('{ "hosts": {', "bad.json:1:13: unexpected end of the file; expected a name in double quotes ('{' "
                                    "at 1:12 is not closed)")

    def test_a_folder_in_place_of_a_file(self):
        os.mkdir(self.folder / "folder")
        _, err = self.ndsim("run", "folder", exit=3)
        self.assertIn("folder: is a directory (a scenario is one file)", err)

    def test_no_such_file(self):
        _, err = self.ndsim("run", "none.json", exit=3)
        self.assertIn("none.json: cannot be opened: No such file or directory", err)

    def test_all_problems_are_in_the_envelope(self):
        self.write("bad.json", f'{{ {HOSTS},\n  "trafic": {{}}, "seed": -1 }}')
        problems = self.envelope("run", "bad.json", exit=3)["problems"]
        self.assertEqual(problems[0], {"file": "bad.json", "line": 2, "column": 3, "path": "", "hint": "",
                                       "message": 'unknown key "trafic"; did you mean "traffic"?'})
        self.assertEqual(problems[1]["path"], "seed")
        self.assertEqual(self.envelope("check", "bad.json", exit=3)["problems"], problems)


class BadOverride(CliTest):
    def test_every_wrong_override_is_named(self):
        _, err = self.ndsim("run", STREAM, "--set", "traffic.strem.window=1", "--set", "nic.mtu", "--set", "nic.mtu=7",
                            exit=3)
        self.assertIn('--set: traffic.strem.window: there is no such path; did you mean "traffic.stream.window"?', err)
        self.assertIn('--set: expected path=value, got "nic.mtu"', err)
        self.assertIn("--set: nic.mtu: expected a power of two, 256 .. 4096, got 7", err)
        self.assertIn("3 problems; nothing was run", err)

    def refuse(self, override, message):
        _, err = self.ndsim("check", STREAM, "--set", override, exit=3)
        self.assertEqual(err.splitlines()[0], f"--set: {message}")

    def test_what_holds_several_values(self):
        self.refuse("expect=[]", 'expect: is not a single value; set one in it, such as "expect[0].metric"')
        self.refuse("traffic.stream={}", 'traffic.stream: is not a single value; set one in it, such as '
                                         '"traffic.stream.count"')

    def test_the_end_of_a_path(self):
        self.refuse("window=1", 'window: there is no such path; did you mean "measure.window" or '
                                 '"traffic.stream.window"?')
        self.refuse("sq.depth=1", 'sq.depth: there is no such path; did you mean "nic.sq.depth" or '
                                   '"hosts.A.nic.sq.depth"?')

    def test_no_path(self):
        self.refuse("=5", 'expected path=value, got "=5"')

    def test_set_takes_one_value_and_leaves_the_file_alone(self):
        self.ndsim("run", "--set", "traffic.t.window=2", self.small, "--quiet")


class BadUsage(CliTest):
    def refuse(self, words, message):
        out, err = self.ndsim(*words, exit=2)
        self.assertEqual(out, "")
        self.assertEqual(err, f"ndsim: {message}\n")

    def test_no_command(self):
        out, err = self.ndsim(exit=2)
        self.assertEqual(out, "")
        self.assertIn("Usage: ndsim", err)

    def test_unknown_command(self):
        self.refuse(["rnu"], 'there is no command "rnu"; did you mean "run"? See ndsim --help')
        self.refuse(["simulate"], 'there is no command "simulate". There are run, exec, sweep, collect, advise, sensitivity, calibrate, check, metrics, explain, compare, wave, report, presets, schema, new, version, help, completion, manual; see '
                                  'ndsim --help')

    def test_missing_and_surplus_arguments(self):
        self.refuse(["run"], "FILE is required; see ndsim run --help")
        self.refuse(["run", self.small, "--out"], "--out: 1 required DIR missing; see ndsim run --help")
        self.refuse(["check", self.small, "x"], '"x" is one argument too many; see ndsim check --help')
        self.refuse(["check", self.small, "--set", "nic.mtu=1024", "seed=2"],
                    '"seed=2" needs a --set of its own; see ndsim check --help')
        self.refuse(["presets", "show"], "NAME is required; see ndsim presets show --help")
        self.refuse(["presets", "show", "X"], "NAME: X not in {A,B,C,D}; see ndsim presets show --help")
        self.refuse(["run", self.small, "--log-level", "loud"],
                    "--log-level: loud not in {debug,info,warning,error,off}; see ndsim run --help")

    def test_unknown_option(self):
        self.refuse(["run", self.small, "--quite"],
                    'there is no option "--quite"; did you mean "--quiet"? See ndsim run --help')
        self.refuse(["check", self.small, "--sett=seed=2"],
                    'there is no option "--sett"; did you mean "--set"? See ndsim check --help')
        self.refuse(["version", "--bogus"],
                    'there is no option "--bogus". There are --help, --json, --color; see ndsim version --help')
        self.refuse(["run", self.small, "-x"], 'there is no option "-x"; see ndsim run --help')
        self.refuse(["run", self.small, "--color=red"], '--color: red not in {auto,always,never}; see ndsim run --help')

    def test_an_option_before_its_command(self):
        for option in ("-q", "-v", "--set=seed=2", "--waves"):
            self.refuse([option, "run", self.small], f'put "{option}" behind "ndsim run"; see ndsim run --help')
        self.refuse(["-x", "run", self.small], 'there is no option "-x"; see ndsim run --help')

    def test_words_behind_two_dashes_are_no_options(self):
        self.ndsim("check", "--", self.small)
        self.write("-q", SMALL)
        out, _ = self.ndsim("run", "--out", "dashed", "--", "-q")
        self.assertIn("finished after", out)
        self.refuse(["run", self.small, "--", "-q"], '"./-q" is one argument too many; see ndsim run --help')

    def test_unknown_command_of_a_command(self):
        self.refuse(["presets", "shwo", "B"], 'there is no command "shwo"; did you mean "show"? See ndsim presets '
                                              '--help')
        self.refuse(["help", "presets", "shwo"], 'there is no command "shwo"; did you mean "show"?')

    def test_empty_names(self):
        self.refuse(["check", ""], "FILE: is an empty text; see ndsim check --help")
        self.refuse(["run", self.small, "--out", ""], "--out: is an empty text; see ndsim run --help")

    def test_usage_in_the_envelope(self):
        self.assertEqual(self.envelope("run", exit=2)["error"], "FILE is required; see ndsim run --help")
