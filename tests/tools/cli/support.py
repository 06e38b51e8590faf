# What the tests of the ndsim command share: they run the binary that NDSIM names, or by hand the release, in a folder of
# their own.
# SPDX-License-Identifier: Apache-2.0
import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import tempfile
import termios
import unittest

# Seconds after which something hangs, for all tests of commands: a busy machine must not break any, and CTest itself
# waits for 1500.
HANG = 1200
ROOT = pathlib.Path(__file__).resolve().parents[3]
NDSIM = os.environ.get("NDSIM", str(ROOT / "build" / "release" / "bin" / "ndsim"))
# The folder of searches that several tests look at, so that the points of each are run once. ndsim takes none of another
# build from there.
SHARED = pathlib.Path(os.environ.get("NDSIM_BUILD", ROOT / "build" / "release")) / "shared-runs"
LIBRARY = ROOT / "scenarios" / "library"
STREAM = str(LIBRARY / "stream.json")
QUICKSTART = str(LIBRARY / "quickstart.json")

# The receiver of this waits for ever.
NOBODY_SENDS = """{
  "hosts": { "A": {}, "B": { "buffers": { "rx": { "size": "64 B" } } } },
  "programs": { "B": [ { "post": "receive", "buffer": "rx" }, { "poll": "q0.receive" } ] }
}
"""

# Small and quick; what a test changes is in --set.
SMALL = """{
  "about": "a few messages",
  "hosts": { "A": {}, "B": {} },
  "traffic": { "t": { "from": "A", "to": "B", "size": "64 B", "count": 100, "window": 4 } },
  "expect": [ { "metric": "traffic.t.messages", "at_least": 100 } ]
}
"""

# AddressSanitizer says so of an exception that unwinds when SystemC's threads have run; tools/test knows more of it.
FALSE_WARNING = re.compile(r"==\d+==WARNING: ASan is ignoring requested __asan_handle_no_return: .*\n"
                           r"False positive error reports may follow\nFor details see .*\n")


class Command(subprocess.Popen):
    """A process whose errors are those of ndsim alone."""

    def communicate(self, *arguments, **options):
        out, err = super().communicate(*arguments, **options)
        return out, err and FALSE_WARNING.sub("", err)


class CliTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.small = self.write("small.json", SMALL)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def start(self, *words, **options):
        """The process, in the test's folder and without the tester's settings."""
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        environment.update(options.pop("env", {}))
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return Command([NDSIM, *map(str, words)], cwd=self.folder, env=environment, text=True, **options)

    def ndsim(self, *words, exit=0, **options):
        """Runs a command that must end with this code, or one of these; returns what it wrote to stdout and stderr."""
        with self.start(*words, **options) as process:
            out, err = process.communicate(timeout=HANG)
        self.assertIn(process.returncode, exit if isinstance(exit, tuple) else (exit,), f"ndsim {words}\nstdout: {out}\nstderr: {err}")
        return out, err

    def instructions(self, *words):
        """How many the command takes: what is asserted of its speed, as no other load changes that."""
        if b"__asan_init" in pathlib.Path(NDSIM).read_bytes():
            self.skipTest("Valgrind does not run what is built for AddressSanitizer")
        profile = self.folder / "callgrind"
        with subprocess.Popen(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", NDSIM,
                               *map(str, words)], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            _, err = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 0, err)
        totals = next(line for line in profile.read_text(encoding="utf-8").splitlines() if line.startswith("totals:"))
        return int(totals.split()[1])

    def envelope(self, *words, exit=0):
        """What a command says with --json, which must be all that it says."""
        out, err = self.ndsim(*words, "--json", exit=exit)
        self.assertEqual(err, "")
        said = json.loads(out)
        self.assertEqual(said["exit"], exit)
        self.assertEqual(said["ok"], exit == 0)
        return said

    def fewer_messages(self, scenario):
        """Overrides with which the generators have a hundred messages each, or about 4 MiB together: the first messages of
        long streams will do. With these, rates and the like may not be what the scenario expects."""
        known = self.envelope("check", scenario)["result"]["parameters"]
        generators = [path.removesuffix(".count") for path in known if re.fullmatch(r"traffic\.\w+\.count", path)]
        fewer = []
        for generator in generators:
            first_size = re.match(r"(\d+) (\w+)", known[generator + ".size"]["value"])
            size = int(first_size[1]) * {"B": 1, "KiB": 1024, "MiB": 1024 ** 2}[first_size[2]]
            count = min(100, max(12, 4 * 1024 ** 2 // size // len(generators)))
            if int(known[generator + ".count"]["value"]) > count:
                fewer.append(f"--set={generator}.count={count}")
        return fewer

    def result(self, folder):
        return json.loads((self.folder / folder / "result.json").read_text(encoding="utf-8"))

    def on_terminal(self, *words, stream, **options):
        """What a command writes to one of its streams if that is a terminal."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be had: {error}")
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 40, 120, 0, 0))
        with self.start(*words, **{stream: theirs}, **options) as process:
            os.close(theirs)
            text = b""
            try:
                while piece := os.read(ours, 4096):
                    text += piece
            except OSError:  # how a terminal says that nobody holds it any more
                pass
            process.communicate()
        os.close(ours)
        return text.decode()
