# Tests ndsim sweep --engine slurm against a cluster of this machine alone: munged, slurmctld and slurmd of Debian, started
# as root in a folder of their own and ended with the test. Where they cannot be started the test is skipped, and says why.
# SPDX-License-Identifier: Apache-2.0
import hashlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from support import HANG, CliTest

START = 120  # seconds after which there is no Slurm here, and the test is skipped

FILES = ("sweep.json", "sweep.csv", "sweep.ndjson", "sweep.sqlite")
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
SWEEP = ("sweep", "small.json", "--set", "traffic.t.count=5000", "--vary", "traffic.t.window=1..12")

CONFIG = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={port}
SlurmdPort={port_d}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
OverSubscribe=FORCE
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """The daemons, in a folder of their own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="slurm"))
        self.daemons = []
        os.chmod(self.folder, 0o755)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        host = socket.gethostname().split(".")[0]
        text = CONFIG.format(host=host, folder=self.folder, port=free_port(), port_d=free_port())
        (self.folder / "slurm.conf").write_text(
            "\n".join(line for line in text.splitlines() if not line.startswith("OverSubscribe")) + "\n")
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)

    def start(self):
        """Why it cannot be, or nothing."""
        munge = [f"--{name}={self.folder}/munge.{name.split('-')[0]}" for name in
                 ("pid-file", "log-file", "seed-file")]
        self.daemon("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                    f"--socket={self.folder}/munge.sock", *munge)
        deadline = time.monotonic() + START
        while not (self.folder / "munge.sock").exists():
            if time.monotonic() > deadline:
                return "munged does not start"
            time.sleep(0.05)
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        deadline = time.monotonic() + START
        while self.said("sinfo", "--noheader", "--format=%T").strip() != "idle":
            if time.monotonic() > deadline:
                return "the node does not come up: " + self.said("sinfo")
            time.sleep(0.2)
        return None

    def daemon(self, *words):
        environment = {**os.environ, **self.environment}
        self.daemons.append(subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL))

    def said(self, *words):
        return subprocess.run(words, env={**os.environ, **self.environment}, capture_output=True, text=True,
                              check=False, timeout=HANG).stdout

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=HANG)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Slurm(CliTest):
    @classmethod
    def setUpClass(cls):
        missing = [name for name in NEEDED if shutil.which(name) is None]
        if missing or os.geteuid() != 0:
            why = f"{', '.join(missing)} not installed" if missing else "daemons are started by root"
            raise unittest.SkipTest(why)
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        if why := cls.cluster.start():
            raise unittest.SkipTest(why)

    def digests(self, folder):
        return {name: hashlib.sha256((self.folder / folder / name).read_bytes()).hexdigest() for name in FILES}

    def test_a_job_array_makes_the_same_files_as_this_machine(self):
        self.ndsim(*SWEEP, "--out", "local")
        self.ndsim(*SWEEP, "--out", "array", "--engine", "slurm", "--tasks", "3", env=self.cluster.environment)
        self.assertEqual(self.digests("array"), self.digests("local"))
        self.assertEqual(sorted(path.name for path in (self.folder / "array").glob("shard-*")),
                         ["shard-1", "shard-2", "shard-3"])

    def test_the_name_of_the_folder_may_be_any(self):
        name = 'an "array", 10 %j'  # %j would be the number of the job
        self.ndsim(*SWEEP, "--out", name, "--engine", "slurm", "--tasks", "2", env=self.cluster.environment)
        self.assertEqual(sorted(path.name for path in (self.folder / name).glob("slurm-*.log")),
                         ["slurm-1.log", "slurm-2.log"])

    def test_a_task_that_is_killed_is_run_again(self):
        long = (*SWEEP, "--set", "traffic.t.count=60000")
        self.ndsim(*long, "--out", "local")
        process = self.start(*long, "--out", "array", "--engine", "slurm", "--tasks", "2",
                             env=self.cluster.environment)
        journal = self.folder / "array/shard-1/points.ndjson"
        deadline = time.monotonic() + HANG
        while not journal.exists() or journal.read_text(encoding="utf-8").count("\n") < 2:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        self.kill_task(1)
        _, err = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(self.digests("array"), self.digests("local"))

    def kill_task(self, number):
        """As a node that fails does: the task's processes are gone."""
        for words in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                text = words.read_bytes().split(b"\0")
            except OSError:
                continue
            if b"--shard" in text and f"{number}/2".encode() in text:
                os.kill(int(words.parent.name), signal.SIGKILL)

    def test_ctrl_c_cancels_the_job(self):
        process = self.start(*SWEEP, "--set", "traffic.t.count=1000000000000", "--out", "array", "--engine", "slurm",
                             "--tasks", "2", env=self.cluster.environment)
        deadline = time.monotonic() + HANG
        while not self.cluster.said("squeue", "--noheader", "--states=RUNNING").strip():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 130, err)
        while self.cluster.said("squeue", "--noheader").strip():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)


class NoSlurm(CliTest):
    def test_without_slurm_it_says_so(self):
        _, err = self.ndsim(*SWEEP, "--engine", "slurm", exit=7, env={"PATH": "/nowhere"})
        self.assertIn("sbatch: ", err)
