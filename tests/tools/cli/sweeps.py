# What the tests of sweeps share.
# SPDX-License-Identifier: Apache-2.0
import csv
import hashlib

from support import CliTest

FILES = ("sweep.json", "sweep.csv", "sweep.ndjson", "sweep.sqlite")
DEPTHS = ("--vary", "nic.sq.depth=1,2,4..16*2")  # 5 points
LONG = ("--set", "traffic.t.count=8000", "--vary", "traffic.t.window=1..40")


class SweepTest(CliTest):
    def rows(self, folder="out/small-sweep"):
        with open(self.folder / folder / "sweep.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def digests(self, folder):
        return {name: hashlib.sha256((self.folder / folder / name).read_bytes()).hexdigest() for name in FILES}

    def known(self, folder="out/small-sweep"):
        """How many points are finished."""
        path = self.folder / folder / "points.ndjson"
        return max(0, path.read_text(encoding="utf-8").count("\n") - 1) if path.exists() else 0
