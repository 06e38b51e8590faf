# Tests timeline.json: every scenario of the library has a timeline that keeps the rules of its format.
# SPDX-License-Identifier: Apache-2.0
import collections
import csv
import gzip
import re
import unittest

import pcapng
import timeline
from support import LIBRARY, CliTest

OPEN_LOOP = """{
  "hosts": { "A": {}, "B": {} },
  "traffic": { "t": { "from": "A", "to": "B", "size": "4 KiB", "count": 200, "window": 4,
                      "arrivals": "poisson", "interval": "300 ns" } }
}
"""


class Timeline(CliTest):
    def record(self, scenario, *words, exit=0):
        self.ndsim("run", scenario, "--timeline", "--no-waves", "--quiet", "--out", "out", *words, exit=exit)
        return timeline.events(self.folder / "out/timeline.json")

    def requests(self, slices):
        return {piece.args["request"]: piece for piece in slices if piece.category == "request"}

    def check_ledgers(self, slices):
        """Each request's slices are its ledger in completions.csv."""
        requests = self.requests(slices)
        with open(self.folder / "out/completions.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            piece = requests.pop(row["request"])
            self.assertEqual((piece.start, piece.end), (int(row["begin_ps"]), int(row["end_ps"])))
            self.assertEqual(piece.name, f"{row['operation']} {row['request']}")
            self.assertEqual((piece.args["status"], str(piece.args["bytes"]), piece.args["qp"]),
                             (row["status"], row["bytes"], row["qp"]))
            accounts = collections.Counter()
            for inner in piece.inner:
                accounts[inner.name] += inner.end - inner.start
            charged = {name.removesuffix("_ps"): int(value) for name, value in row.items()
                       if name.endswith("_ps") and name not in ("begin_ps", "end_ps", "total_ps") and int(value)}
            self.assertEqual(accounts, charged, row["request"])
        self.assertEqual({piece.args["status"] for piece in requests.values()} - {"not completed"}, set())
        return rows


class Library(Timeline):
    def test_every_scenario(self):
        for scenario in sorted(LIBRARY.glob("*.json")):
            with self.subTest(scenario.name):
                fewer = self.fewer_messages(scenario)
                events = self.record(scenario, "--packets", *fewer, exit=(0, 1) if fewer else 0)
                slices = timeline.check(self, events)
                self.check_ledgers(slices)
                self.check_packets(events, slices)

    def port_of(self, unit):
        """Where the packets of a track are captured: they leave by a lane, and come in at a host or a switch."""
        if lane := re.fullmatch(r"[^_.]+_(\w+)_to_(\w+)", unit):
            host = f"{lane[1]}.nic"
            return (host if (host, "in") in self.hosts else f"{lane[1]}.{lane[2]}", "out")
        return (unit.removesuffix(".rx").removesuffix(".in"), "in")

    def check_packets(self, events, slices):
        """Packets are those of packets.pcapng, and are there when that says."""
        tracks = timeline.names(events)
        self.hosts = {self.port_of(unit) for unit in tracks.values() if unit.endswith(".nic.rx")}
        ports = collections.defaultdict(set)
        for piece in slices:
            unit = tracks[piece.track].split(" ")[0]
            if piece.category == "packet" and not unit.endswith((".flight", ".nic.tx", ".queue")):
                ports[self.port_of(unit)].add(piece.args["packet"])
        captured = collections.defaultdict(set)
        for packet in pcapng.packets(self.folder / "out/packets.pcapng"):
            captured[packet.interface, packet.direction].add(
                packet.comment.split("packet ")[1].split(", at")[0])
        self.assertEqual(ports, captured)


class Rules(Timeline):
    def test_a_request_that_waited_before_it_was_posted(self):
        # Messages are wanted faster than a window of 4 lets them go.
        slices = timeline.check(self, self.record(self.write("open.json", OPEN_LOOP)))
        self.assertEqual(len(self.check_ledgers(slices)), 2 * 200)
        self.assertTrue(any(inner.name == "slot" for piece in self.requests(slices).values()
                            for inner in piece.inner))

    def test_it_changes_nothing(self):
        self.ndsim("run", self.small, "--quiet", "--out", "without")
        self.record(self.small)
        with_it, without = self.result("out"), self.result("without")
        self.assertEqual(with_it["files"], without["files"] + ["timeline.json"])
        for key in ("metrics", "ledgers", "limits", "expectations", "started_ps", "ended_ps"):
            self.assertEqual(with_it[key], without[key])
        self.assertEqual((self.folder / "out/completions.csv").read_bytes(),
                         (self.folder / "without/completions.csv").read_bytes())

    def test_only_the_window(self):
        started = self.result_of_small()["started_ps"]
        start, stop = started + 2_000_000, started + 9_000_000
        events = self.record(self.small, "--set", f"outputs.timeline.start={start} ps",
                             "--set", f"outputs.timeline.stop={stop} ps")
        slices = timeline.check(self, events)
        self.assertGreaterEqual(min(piece.start for piece in slices), start)
        self.assertLessEqual(max(piece.end for piece in slices), stop)
        # Requests were under way at either end.
        self.assertIn(start, {piece.start for piece in self.requests(slices).values()})
        self.assertIn(stop, {piece.end for piece in self.requests(slices).values()})

    def result_of_small(self):
        self.ndsim("run", self.small, "--quiet", "--out", "first")
        return self.result("first")

    def test_a_limit_of_size(self):
        events = self.record(self.small, "--set", "traffic.t.count=1000", "--set", "outputs.timeline.max_size=64 KiB",
                             exit=5)
        size = (self.folder / "out/timeline.json").stat().st_size
        self.assertLessEqual(size, 65536)
        self.assertGreater(size, 60000)
        timeline.check(self, events, cut=True)
        cut = self.result("out")["timeline_cut_at_ps"]
        self.assertLessEqual(max(event["ts"] for event in events if event["ph"] in "BX"), cut)


COMPRESSED = ("--set", "outputs.timeline.compressed=true")


class Compressed(Timeline):
    def files(self):
        return sorted(path.name for path in (self.folder / "out").iterdir() if path.name.startswith("timeline"))

    def test_it_is_the_plain_file_compressed_and_replaces_it(self):
        self.record(self.small)
        plain = (self.folder / "out/timeline.json").read_bytes()
        self.assertEqual(self.files(), ["timeline.json"])
        out, _ = self.ndsim("run", self.small, *COMPRESSED, "--out", "out")
        self.assertEqual(self.files(), ["timeline.json.gz"])
        self.assertRegex(out, r"timeline\.json\.gz +open it in ui\.perfetto\.dev\n")
        self.assertIn("timeline.json.gz", self.result("out")["files"])
        packed = (self.folder / "out/timeline.json.gz").read_bytes()
        self.assertEqual(gzip.decompress(packed), plain)
        self.assertEqual(packed[4:8], bytes(4), "no time of day")
        self.ndsim("run", self.small, *COMPRESSED, "--out", "out")
        self.assertEqual((self.folder / "out/timeline.json.gz").read_bytes(), packed)
        self.record(self.small)
        self.assertEqual(self.files(), ["timeline.json"])

    def test_a_flag_of_the_command_line_keeps_it_compressed(self):
        asked = self.write("asked.json", (self.folder / self.small).read_text().replace(
            '"expect"', '"outputs": { "timeline": { "compressed": true } },\n  "expect"'))
        self.ndsim("run", asked, "--timeline", "--quiet", "--out", "out")
        self.assertEqual(self.files(), ["timeline.json.gz"])
        self.ndsim("run", asked, "--no-timeline", "--quiet", "--out", "out")
        self.assertEqual(self.files(), [])

    def test_a_limit_of_size_is_that_of_the_text(self):
        long = ("--set", "traffic.t.count=1000", "--set", "outputs.timeline.max_size=64 KiB", "--quiet", "--out", "out")
        self.ndsim("run", self.small, *long, exit=5)
        plain = (self.folder / "out/timeline.json").read_bytes()
        _, err = self.ndsim("run", self.small, *COMPRESSED, *long, exit=5)
        self.assertIn("timeline.json.gz reached its maximum size (outputs.timeline.max_size) and ends at ", err)
        self.assertEqual(gzip.decompress((self.folder / "out/timeline.json.gz").read_bytes()), plain)
        timeline.check(self, timeline.events(self.folder / "out/timeline.json.gz"), cut=True)

    def test_a_wrong_key_and_a_wrong_value(self):
        _, err = self.ndsim("run", self.small, "--set", "outputs.timeline.compresed=true", exit=3)
        self.assertIn('did you mean "outputs.timeline.compressed"?', err)
        _, err = self.ndsim("run", self.small, "--set", "outputs.timeline.compressed=gzip", exit=3)
        self.assertIn("outputs.timeline.compressed", err)
        self.assertIn("true or false", err)


class Asking(CliTest):
    def test_a_timeline_is_written_as_asked(self):
        out, _ = self.ndsim("run", self.small, "--out", "out")
        self.assertIn("--timeline records a timeline", out)
        self.assertFalse((self.folder / "out/timeline.json").exists())
        out, _ = self.ndsim("run", self.small, "--out", "out", "--timeline")
        self.assertIn("timeline.json", out)
        self.assertTrue((self.folder / "out/timeline.json").exists())
        asked = self.write("asked.json", (self.folder / self.small).read_text().replace(
            '"expect"', '"outputs": { "timeline": true },\n  "expect"'))
        self.ndsim("run", asked, "--out", "out")
        self.assertTrue((self.folder / "out/timeline.json").exists())
        self.ndsim("run", asked, "--out", "out", "--no-timeline")
        self.assertFalse((self.folder / "out/timeline.json").exists(), "nor is that of the earlier run")


if __name__ == "__main__":
    unittest.main()
