# What the tests of the Python package share: they run the binary that NDSIM names, or by hand the release, in a folder
# of their own, and temporary folders are there, too.
# SPDX-License-Identifier: Apache-2.0
import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "tools" / "python"
# Seconds after which something hangs: as for the tests of the command.
HANG = 1200
os.environ["NDSIM"] = os.path.abspath(os.environ.get("NDSIM", ROOT / "build" / "release" / "bin" / "ndsim"))
sys.dont_write_bytecode = True
sys.path.insert(0, str(PACKAGE))

# Small and quick; what a test changes, it overrides.
SMALL = {
    "about": "a few messages",
    "hosts": {"A": {}, "B": {}},
    "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "count": 100, "window": 4, "receives": 8}},
    "expect": [{"metric": "traffic.t.messages", "at_least": 100}],
}
# B waits for a message that nobody sends.
NOBODY_SENDS = {
    "hosts": {"A": {}, "B": {"buffers": {"rx": {"size": "64 B"}}}},
    "programs": {"B": [{"post": "receive", "buffer": "rx"}, {"poll": "q0.receive"}]},
}


def needs(module):
    """For tests of what an optional package brings."""
    return unittest.skipIf(importlib.util.find_spec(module) is None, f"{module} is not installed")


class PackageTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.addCleanup(setattr, tempfile, "tempdir", tempfile.tempdir)
        tempfile.tempdir = str(self.temporary)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def leftovers(self):
        """The temporary folders that are there."""
        return [path.name for path in self.temporary.iterdir()]

    def command(self, script):
        """A command of the test's own, in place of ndsim."""
        path = self.folder / "command"
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        self.addCleanup(os.environ.__setitem__, "NDSIM", os.environ["NDSIM"])
        os.environ["NDSIM"] = str(path)
        return path
