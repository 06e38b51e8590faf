# Tests of "ndsim exec": what runs where, what programs print and how they end, and what is wrong with the command line.
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import unittest

from support import ROOT, CliTest

BUILD = pathlib.Path(os.environ.get("NDSIM_BUILD", ROOT / "build" / "release"))
BANDWIDTH = BUILD / "examples" / "nd2_bandwidth.so"
PAIR = '{ "hosts": { "A": {}, "B": {} } }'


class Exec(CliTest):
    def setUp(self):
        super().setUp()
        self.pair = self.write("pair.json", PAIR)

    def refuse(self, programs, message):
        words = [word for program in programs for word in ("--host", program)]
        out, err = self.ndsim("exec", self.pair, *words, exit=2)
        self.assertEqual(out, "", "before anything runs")
        self.assertEqual(err, f"ndsim: {message}\n")
        self.assertFalse((self.folder / "out").exists())

    def bandwidth(self, *options, exit=0):
        return self.ndsim("exec", self.pair, "--host", f"A={BANDWIDTH} -s 10.0.0.1:5000",
                          "--host", f"B={BANDWIDTH} 10.0.0.2 10.0.0.1:5000 65536 300 16", "--out", "out", *options,
                          exit=exit)

    def test_two_copies_of_a_program_talk_to_each_other(self):
        out, _ = self.bandwidth()
        line = out.splitlines()[0]
        self.assertRegex(line, r"^B: 300 writes of 65536 bytes, 16 under way: \d+\.\d\d Gb/s$")
        # 100 Gb/s less the headers of packets of 4 KiB is 98.04; filling and draining cost the rest of 300 writes.
        rate = float(line.split()[-2])
        self.assertLess(rate, 98.04)
        self.assertGreater(rate, 96)
        self.assertEqual((self.folder / "out" / "output-B.txt").read_text(), line.removeprefix("B: ") + "\n")
        self.assertEqual((self.folder / "out" / "output-A.txt").read_text(), "")
        programs = self.result("out")["programs"]
        self.assertEqual(programs["A"], {"file": str(BANDWIDTH), "exit_code": 0})
        self.assertEqual(programs["B"]["exit_code"], 0)

    def test_the_same_command_prints_the_same(self):
        self.assertEqual(self.bandwidth(), self.bandwidth())

    def test_quiet_and_json_keep_programs_off_the_streams(self):
        self.assertEqual(self.bandwidth("--quiet"), ("", ""))
        said = self.envelope("exec", self.pair, "--host", f"A={BANDWIDTH}", exit=1)
        self.assertEqual(said["error"], "the program of A ended with 2")
        self.assertEqual(said["result"]["programs"]["A"]["exit_code"], 2)

    def test_a_program_that_returns_no_0(self):
        out, err = self.ndsim("exec", self.pair, "--host", f"A={BANDWIDTH} nowhere 10.0.0.1:1", exit=1)
        self.assertEqual(out.splitlines()[0], "A: no address: nowhere")
        self.assertEqual(err, "ndsim: the program of A ended with 2\n")

    def test_a_program_that_waits_for_ever(self):
        _, err = self.ndsim("exec", self.pair, "--host", f"A={BANDWIDTH} -s 10.0.0.1:5000", exit=6)
        self.assertIn("host A waits for a packet of a completion port", err)

    def test_what_is_wrong_with_the_command_line(self):
        self.refuse(["A"], "--host \"A\": expected HOST=FILE ARGUMENTS, such as 'A=libserver.so -s'")
        self.refuse(["A="], "--host \"A=\": expected HOST=FILE ARGUMENTS, such as 'A=libserver.so -s'")
        self.refuse(["server=x.so"], '--host "server=x.so": the scenario has no host "server". There are A, B')
        self.refuse(["A=x.so"], '--host "A=x.so": x.so cannot be read')
        self.refuse([f"A={BANDWIDTH}", f"A={BANDWIDTH}"], f'--host "A={BANDWIDTH}": host "A" has a program already')
        self.write("text.so", "no program")
        _, err = self.ndsim("exec", self.pair, "--host", "A=text.so", exit=2)
        self.assertIn('--host "A=text.so": text.so cannot be loaded: ', err)

    def test_a_library_that_is_no_program(self):
        import ctypes.util
        library = ctypes.util.find_library("z")
        path = next(pathlib.Path("/usr/lib").rglob(library))
        self.refuse([f"A={path}"], f'--host "A={path}": {path} is no host program: it is not linked with ndsim::program')

    def test_nothing_to_run(self):
        _, err = self.ndsim("exec", self.pair, exit=2)
        self.assertIn("--host is required", err)


if __name__ == "__main__":
    unittest.main()
