# Tests timeline.json: every scenario of the library has a timeline that keeps the rules of its format.
# SPDX-License-Identifier: Apache-2.0
import collections
import csv
import gzip
import re

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

    def check_arguments(self, piece, row):
        self.assertEqual(piece.name, f"{row['operation']} {row['request']}")
        self.assertEqual((piece.args["status"], str(piece.args["bytes"]), piece.args["qp"], piece.args.get("silent", False)),
                         (row["status"], row["bytes"], row["qp"], row["silent"] == "1"))

    def check_receive(self, piece, row):
        """Its slice is the end of its ledger, from some time after the fetch; without a message, the very end."""
        self.check_arguments(piece, row)
        self.assertGreaterEqual(piece.start, int(row["begin_ps"]))
        at, stays = int(row["begin_ps"]), []
        for word in row["path"].split():
            account, _, time = word.partition(":")
            stays.append((account, at, at := at + int(time or row[account + "_ps"])))
        if piece.start == piece.end:
            self.assertNotEqual(row["status"], "success")
            return
        fetched = max(end for account, _, end in stays if account in ("post", "doorbell", "wqe_fetch"))
        self.assertGreaterEqual(piece.start, fetched, row)
        shown = []
        for inner in piece.inner:
            begin = inner.start
            if shown and shown[-1][0] == inner.name:  # one stay, charged in two intervals
                begin = shown.pop()[1]
            shown.append((inner.name, begin, inner.end))
        self.assertEqual(shown, [(account, max(begin, piece.start), end)
                                 for account, begin, end in stays if end > piece.start])

    def check_ledgers(self, slices):
        """Each request's slices are its ledger in completions.csv."""
        requests = self.requests(slices)
        with open(self.folder / "out/completions.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            piece = requests.pop(row["request"])
            self.assertEqual(piece.end, int(row["end_ps"]))
            if row["operation"] == "receive":
                self.check_receive(piece, row)
                continue
            self.assertEqual(piece.start, int(row["begin_ps"]))
            self.check_arguments(piece, row)
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


class Receives(Timeline):
    LONG = """{
      "hosts": { "A": {}, "B": {} },
      "traffic": { "t": { "from": "A", "to": "B", "size": "%s", "count": %d, "window": 16 } }
    }
    """

    def tracks(self, events, name):
        return [track for track in timeline.names(events).values() if track.split(" ")[0] == name]

    def test_they_begin_with_the_first_packet_of_their_message(self):
        events = self.record(self.write("long.json", self.LONG % ("16 KiB", 50)))
        slices = timeline.check(self, events)
        self.check_ledgers(slices)
        tracks = timeline.names(events)
        firsts = {piece.start for piece in slices
                  if tracks[piece.track].startswith("B.nic.responder") and piece.name == "SEND_FIRST"}
        receives = [piece for piece in self.requests(slices).values() if piece.name.startswith("receive")]
        self.assertEqual(len(receives), 50)
        self.assertEqual({piece.start for piece in receives}, firsts)

    def test_posted_ones_are_a_counter_and_no_tracks(self):
        scenario = self.write("small4k.json", self.LONG % ("4 KiB", 600))
        rows = {}
        for depth in (64, 512):
            events = self.record(scenario, "--set", f"nic.rq.depth={depth}")
            rows[depth] = len(self.tracks(events, "B.qps.q0.rq"))
            levels = [event["args"]["value"] for event in events
                      if event["ph"] == "C" and event["name"] == "B.qps.q0.rq"]
            # All are posted before the first message comes.
            self.assertEqual(max(levels), depth)
            timeline.check(self, events)
        self.assertEqual(rows[64], rows[512])
        self.assertLess(rows[512], 32)  # 16 messages are under way at most, and as many may wait to be polled

    def test_cancelled_ones_have_no_duration(self):
        # A Write beyond the end of B's buffer ends the connection, and with it three Receives without a message.
        events = self.record(self.write("cancelled.json", """{
          "hosts": { "A": { "buffers": { "m": { "size": "64 B" } } }, "B": { "buffers": { "m": { "size": "64 B" } } } },
          "programs": {
            "A": [ { "sleep": "50 us" },
                   { "post": "write", "buffer": "m", "size": "64 B", "to": "B.m", "to_offset": "1 B" },
                   { "poll": "q0.send" } ],
            "B": [ { "post": "receive", "buffer": "m", "count": 3 }, { "poll": "q0.receive", "count": 3 } ]
          } }"""), exit=1)
        slices = timeline.check(self, events)
        self.check_ledgers(slices)
        pieces = [piece for piece in self.requests(slices).values() if piece.name.startswith("receive")]
        self.assertEqual([(piece.end - piece.start, piece.args["status"]) for piece in pieces], [(0, "cancelled")] * 3)
        self.assertEqual(len(self.tracks(events, "B.qps.q0.rq")), 1)

    def test_a_thousand_messages_of_4_kib_take_less_than_a_megabyte(self):
        scenario = self.write("thousand.json", self.LONG % ("4 KiB", 1000))
        self.ndsim("run", scenario, *COMPRESSED, "--quiet", "--out", "out")
        path = self.folder / "out/timeline.json.gz"
        self.assertLess(path.stat().st_size, 1_000_000)
        self.assertEqual(len(self.requests(timeline.check(self, timeline.events(path)))), 2000)


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
