# Tests which command the package runs, and what it makes of one that does not do as ndsim does.
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import signal
import subprocess
import sys
import time

from support import HANG, PACKAGE, SMALL, PackageTest

import ndsim


class Found(PackageTest):
    def found(self, folder, **environment):
        """What find_command says in a Python that has the package from this folder, and this environment."""
        asked = "import ndsim\ntry: print(ndsim.find_command())\nexcept ndsim.CommandNotFound as none: print(none)"
        done = subprocess.run([sys.executable, "-P", "-B", "-c", asked], check=True, stdout=subprocess.PIPE, text=True,
                              env={"PATH": "/nowhere", "PYTHONPATH": str(folder), **environment}, timeout=HANG)
        return done.stdout.strip()

    def make_command(self, path):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def test_the_environment_comes_first_then_the_installation_then_the_path(self):
        in_path = self.make_command("path/ndsim")
        named = self.make_command("named/simulator")
        modules = self.folder / "prefix/lib/python3/dist-packages"
        shutil.copytree(PACKAGE / "ndsim", modules / "ndsim", ignore=shutil.ignore_patterns("__pycache__"))
        path = f"{self.folder}/path"
        self.assertEqual(self.found(modules, PATH=path), in_path)  # the installation has none
        installed = self.make_command("prefix/bin/ndsim")
        self.assertEqual(self.found(modules, PATH=path), installed)
        self.assertEqual(self.found(modules, PATH=path, NDSIM=named), named)
        self.assertEqual(self.found(PACKAGE, PATH=path), in_path)

    def test_without_a_command_it_says_where_it_looked(self):
        self.assertEqual(self.found(PACKAGE),
                         "there is no ndsim in PATH; the environment's NDSIM may name the command")
        in_path = self.make_command("path/ndsim")
        # A command that is named and not there is a mistake: another one is not taken for it.
        self.assertEqual(self.found(PACKAGE, PATH=os.path.dirname(in_path), NDSIM="/nowhere/ndsim"),
                         "NDSIM is /nowhere/ndsim, which is no command")


class Odd(PackageTest):
    def failure(self, script):
        self.command(script)
        with self.assertRaises(ndsim.Failed) as raised:
            ndsim.load(SMALL).run()
        self.assertEqual(self.leftovers(), [])
        return raised.exception

    def test_a_command_that_cannot_be_started_has_failed(self):
        path = self.command("")
        path.write_bytes(b"neither a program nor a script")
        with self.assertRaises(ndsim.Failed) as raised:
            ndsim.load(SMALL).run()
        self.assertEqual((raised.exception.code, raised.exception.why),
                         (126, f"{path} could not be started: Exec format error"))

    def test_a_command_that_prints_no_json_has_failed(self):
        failed = self.failure("echo it is broken >&2\necho words\nexit 9")
        self.assertEqual((failed.code, failed.why, failed.stderr, failed.result),
                         (9, "it is broken", "it is broken\n", None))
        failed = self.failure("echo '[]'")
        self.assertEqual((failed.code, failed.why), (0, "it printed no JSON"))

    def test_a_command_that_a_signal_ends_has_failed(self):
        self.assertEqual(self.failure("kill -KILL $$").code, -signal.SIGKILL)

    def test_all_output_is_read_while_the_scenario_is_sent(self):
        # 1 MiB each way, more than a pipe holds.
        self.command("head -c 1048576 /dev/zero | tr '\\0' ' '\necho '{\"ok\": true, \"exit\": 0, \"result\": {}}'\n"
                     "cat >input")
        run = ndsim.load({"about": "x" * 2**20}).run()
        self.assertEqual(run.result, {})
        self.assertGreater((self.folder / "input").stat().st_size, 2**20)


# A sweep of 40 points with 8000 messages each.
LONG = """
import sys
sys.path.insert(0, {package!r})
import ndsim
ndsim.load({small!r}).override({{"traffic.t.count": 8000}}).sweep({{"traffic.t.window": "1..40"}}, jobs=1, out="cut")
"""


class Interrupted(PackageTest):
    def test_ctrl_c_ends_the_command_which_goes_on_from_there(self):
        journal = self.folder / "cut" / "points.ndjson"
        process = subprocess.Popen([sys.executable, "-B", "-c", LONG.format(package=str(PACKAGE), small=SMALL)],
                                   stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (journal.exists() and journal.read_text(encoding="utf-8").count("\n") > 1):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=HANG)
        if process.returncode == 0:
            self.skipTest("it was done before the signal came")
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertIn("KeyboardInterrupt", err)
        known = journal.read_text(encoding="utf-8").splitlines()
        # Two sweeps do not share a folder, so the first one has ended.
        sweep = ndsim.load(SMALL).override({"traffic.t.count": 8000}).sweep({"traffic.t.window": "1..40"}, out="cut")
        self.assertEqual(len(sweep), 40)
        self.assertEqual(journal.read_text(encoding="utf-8").splitlines()[:len(known)], known)
