# Tests of the ends of programs that "ndsim exec" runs and that do not return: those that never call, and those that crash.
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import signal

from support import HANG, ROOT, CliTest

BUILD = pathlib.Path(os.environ.get("NDSIM_BUILD", ROOT / "build" / "release"))
CLIENTS = BUILD / "clients"


class ExecEnding(CliTest):
    def setUp(self):
        super().setUp()
        self.pair = self.write("pair.json", '{ "hosts": { "A": {}, "B": {} } }')

    def test_a_program_that_never_calls_is_named_and_ended_by_the_first_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = self.start("exec", self.pair, "--host", f"B={CLIENTS / 'never_calls.so'}", "--out", "out")
                self.addCleanup(process.kill)
                self.assertEqual(process.stderr.readline(),
                                 "ndsim: the program of B has called nothing that takes time for 5 s, and simulated time "
                                 "stands still meanwhile; Ctrl-C ends the run\n")
                process.send_signal(number)
                _, err = process.communicate(timeout=HANG)
                self.assertEqual(process.returncode, 130)
                self.assertRegex(err, r"^ndsim: interrupted, but the program of B calls nothing, so the run ends at "
                                      r"once; what had been written by then is in \S*out\n$")

    def test_a_program_that_crashes_is_named(self):
        for how in ("null", "stack"):
            with self.subTest(how):
                process = self.start("exec", self.pair, "--host", f"A={CLIENTS / 'in_c.so'}",
                                     "--host", f"B={CLIENTS / 'crashes.so'} {how}", "--out", "out")
                self.addCleanup(process.kill)
                _, err = process.communicate(timeout=HANG)
                self.assertEqual(process.returncode, -signal.SIGSEGV)
                self.assertRegex(err, r"^ndsim: the program of B crashed \(Segmentation fault\); what had been written by "
                                      r"then is in \S*out\n$")

    def test_a_signal_of_a_crash_from_outside_ends_the_run(self):
        process = self.start("exec", self.pair, "--host", f"B={CLIENTS / 'never_calls.so'}", "--out", "out")
        self.addCleanup(process.kill)
        self.assertIn("has called nothing", process.stderr.readline())
        process.send_signal(signal.SIGSEGV)
        process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, -signal.SIGSEGV)

    # A thread has 1 MiB, as on Windows.
    def test_a_program_may_use_much_of_its_stack(self):
        self.ndsim("exec", self.pair, "--host", f"B={CLIENTS / 'crashes.so'}", "--out", "out")
