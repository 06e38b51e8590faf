# Tests packets.pcapng: Wireshark's dissectors must find nothing wrong with any packet of any scenario of the library.
# SPDX-License-Identifier: Apache-2.0
import collections
import re
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

import pcapng
from support import HANG, LIBRARY, STREAM, CliTest

TSHARK = shutil.which("tshark")
if TSHARK is None:
    print("packets_test: tshark is not installed (tools/setup --test does that), so no packet is shown to Wireshark's "
          "dissectors", file=sys.stderr)
needs_tshark = unittest.skipIf(TSHARK is None, "tshark is not installed; tools/setup --test installs it")

# Opcodes that a scenario of the library must show, as Wireshark calls them. Of the others nothing special is asked.
OPCODES = {
    "quickstart": {"RC Send Only", "RC Acknowledge"},
    "write-then-send": {"RC RDMA Write First", "RC RDMA Write Middle", "RC RDMA Write Last", "RC Send Only",
                        "RC Acknowledge"},
}
MANAGEMENT = "VENDOR (Unknown Attribute)"  # every connection is set up by datagrams of a vendor's class
SILENT = {"dma-reads"}  # scenarios without a connection

# No receive is posted, so the Send is answered with an RNR NAK, which is the end of it.
NO_RECEIVE = """{
  "hosts": { "A": { "buffers": { "tx": { "size": "64 B" } } }, "B": {} },
  "programs": {
    "A": [ { "post": "send", "buffer": "tx", "as": "s" }, { "poll": "q0.send" } ]
  }
}
"""

COMMENT = 0x00100000  # the severity of Wireshark's remark that a packet has a comment


def icrc_is_valid(frame):
    """By wire.md 1.5: what routers may change counts as ones, and eight bytes of ones stand in front."""
    length = struct.unpack_from(">H", frame, 16)[0]
    packet = bytearray(frame[14:14 + length])
    sent = struct.unpack("<I", packet[-4:])[0]
    for byte in (1, 8, 10, 11, 26, 27, 32):
        packet[byte] = 0xFF
    return zlib.crc32(b"\xff" * 8 + bytes(packet[:-4])) == sent


def ip_checksum_is_right(frame):
    total = sum(struct.unpack(">10H", frame[14:34]))
    return (total & 0xFFFF) + (total >> 16) in (0xFFFF, 0x1FFFE)


class Packets(CliTest):
    def record(self, scenario, *words, exit=0):
        """Runs it, and returns the packets, and the run's metrics."""
        self.ndsim("run", scenario, "--packets", "--no-waves", "--quiet", "--out", "out", *words, exit=exit)
        metrics = {name: metric["value"] for name, metric in self.result("out")["metrics"].items()}
        return pcapng.packets(self.folder / "out/packets.pcapng"), metrics

    def dissect(self, *fields, file="out/packets.pcapng"):
        """A list of the fields of each packet."""
        # The dissector of RPC over RDMA takes a Send of up to 8 bytes for its own, and finds it too short.
        command = [TSHARK, "-n", "-r", str(self.folder / file),
                   "--disable-heuristic", "rpcrdma_infiniband", "-T", "fields", "-E", "separator=/t"]
        for field in fields:
            command += ["-e", field]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=True)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def looked_at(self, **where):
        """What Wireshark says of each packet."""
        return self.dissect("frame.protocols", "udp.dstport", "_ws.malformed", "_ws.expert.severity", "_ws.col.Info",
                            "infiniband.aeth.syndrome", "infiniband.invariant.crc", **where)

    def check_dissection(self, rows, count):
        """Wireshark takes every packet for a RoCEv2 one, and has nothing to say against any. Returns the opcodes."""
        opcodes = set()
        self.assertEqual(len(rows), count)
        for protocols, port, malformed, severities, said, syndrome, crc in rows:
            self.assertTrue(protocols.startswith("eth:ethertype:ip:udp:infiniband"), protocols)
            self.assertEqual(port, "4791")
            self.assertEqual(malformed, "")
            self.assertEqual({int(severity) for severity in severities.split(",")}, {COMMENT}, said)
            opcode = said.split(" QP=")[0]
            opcodes.add(opcode)
            if opcode != MANAGEMENT:  # where it does not look behind the payload
                self.assertRegex(crc, "^0x[0-9a-f]{8}$")
            if syndrome and int(syndrome, 0) & 0x60:
                opcodes.add("RNR NAK" if int(syndrome, 0) & 0x60 == 0x20 else "NAK")
        return opcodes

    def check_packets(self, packets, metrics):
        """What can be said of the file without Wireshark."""
        seen = collections.Counter((packet.interface, packet.direction) for packet in packets)
        ports = [name.removesuffix(".tx.packets") for name in metrics if name.endswith(".nic.tx.packets")]
        self.assertGreaterEqual(len(ports), 2)
        for port in ports:
            self.assertEqual(seen.pop((port, "out"), 0), metrics[port + ".tx.packets"])
            self.assertEqual(seen.pop((port, "in"), 0), metrics[port + ".rx.packets"])
        # A port of a switch has the name of what is at its other end.
        switch_ports = [name.removesuffix(".queue.capacity") for name in metrics if name.endswith(".queue.capacity")]
        for port in switch_ports:
            peer = port.split(".")[1]
            self.assertEqual(seen.pop((port, "out"), 0), metrics[port + ".packets"])
            self.assertEqual(seen.pop((port, "in"), 0), metrics[peer + ".nic.tx.packets"])
        self.assertEqual(seen, {})
        times = [int(re.fullmatch(r"(?:request \S+, )?packet \d+ of \S+, at (\d+) ps", packet.comment)[1])
                 for packet in packets]
        self.assertEqual(times, sorted(times))
        self.assertEqual([time // 1000 for time in times], [packet.nanoseconds for packet in packets])
        self.assertTrue(all(icrc_is_valid(packet.frame) for packet in packets))
        self.assertTrue(all(ip_checksum_is_right(packet.frame) for packet in packets))
        # What leaves arrives, later and unchanged; a switch sends it again.
        sent = {}
        for packet in packets:
            if packet.direction == "out":
                sent[packet.number] = packet
            else:
                self.assertEqual(packet.frame, sent[packet.number].frame)
                self.assertGreater(packet.nanoseconds, sent[packet.number].nanoseconds)


class Library(Packets):
    def test_every_scenario(self):
        scenarios = sorted(LIBRARY.glob("*.json"))
        self.assertLessEqual(set(OPCODES), {scenario.stem for scenario in scenarios})
        counts = {}
        with open(self.folder / "all.pcapng", "wb") as together:  # sections may follow each other
            for scenario in scenarios:
                with self.subTest(scenario.name):
                    fewer = self.fewer_messages(scenario)
                    packets, metrics = self.record(scenario, *fewer, exit=(0, 1) if fewer else 0)
                    self.check_packets(packets, metrics)
                    counts[scenario.stem] = len(packets)
                    together.write((self.folder / "out/packets.pcapng").read_bytes())
        if TSHARK is None:
            return
        rows = self.looked_at(file="all.pcapng")
        for name, count in counts.items():
            with self.subTest(name):
                opcodes = self.check_dissection(rows[:count], count)
                del rows[:count]
                self.assertLessEqual(OPCODES.get(name, set()) | (set() if name in SILENT else {MANAGEMENT}), opcodes)
        self.assertEqual(rows, [])


class Wire(Packets):
    @needs_tshark
    def test_wireshark_reads_the_times(self):
        packets, _ = self.record(self.small)
        rows = self.dissect("frame.time_epoch", "frame.interface_name", "frame.comment", "frame.packet_id")
        self.assertEqual(rows, [[f"{packet.nanoseconds // 10**9}.{packet.nanoseconds % 10**9:09}", packet.interface,
                                 packet.comment, str(packet.number)] for packet in packets])

    @needs_tshark
    def test_a_message_of_many_packets(self):
        packets, metrics = self.record(self.small, "--set", "traffic.t.size=2500 B", "--set", "nic.mtu=1024")
        self.check_packets(packets, metrics)
        self.assertLessEqual({"RC Send First", "RC Send Middle", "RC Send Last"}, self.check_dissection(self.looked_at(), len(packets)))

    @needs_tshark
    def test_a_send_that_meets_no_receive(self):
        packets, metrics = self.record(self.write("none.json", NO_RECEIVE), exit=1)  # nobody expects that
        self.check_packets(packets, metrics)
        self.assertLessEqual({"RC Send Only", "RNR NAK"}, self.check_dissection(self.looked_at(), len(packets)))


class Asking(CliTest):
    def test_packets_are_written_as_asked(self):
        out, _ = self.ndsim("run", self.small, "--out", "a b")
        self.assertIn("--packets records the packets", out)
        self.assertFalse((self.folder / "a b/packets.pcapng").exists())
        out, _ = self.ndsim("run", self.small, "--packets", "--out", "a b")
        self.assertIn("wireshark 'a b/packets.pcapng'", out)
        self.assertTrue((self.folder / "a b/packets.pcapng").is_file())
        self.assertIn("packets.pcapng", self.result("a b")["files"])
        self.assertEqual(self.result("a b")["scenario"]["parameters"]["outputs.packets"],
                         {"value": "true", "origin": "command line"})
        self.ndsim("run", self.small, "--set", "outputs.packets=true", "--no-packets", "--out", "a b")
        self.assertFalse((self.folder / "a b/packets.pcapng").exists(), "that of the earlier run")

    def test_a_window(self):
        self.ndsim("run", self.small, "--set", "outputs.packets.start=30 us", "--set", "outputs.packets.stop=40 us")
        times = [packet.nanoseconds for packet in pcapng.packets(self.folder / "out/small/packets.pcapng")]
        self.assertGreater(len(times), 0)
        self.assertGreaterEqual(times[0], 30_000)
        self.assertLessEqual(times[-1], 40_000)

    def test_a_file_at_its_limit_of_size_is_told_and_readable(self):
        _, err = self.ndsim("run", STREAM, "--packets", "--quiet", "--set", "outputs.packets.max_size=64 KiB", exit=5)
        self.assertRegex(err, r"packets.pcapng reached its maximum size \(outputs.packets.max_size\) and ends at "
                              r"[0-9.]+ us; the run went on to its end")
        self.assertGreater(len(pcapng.packets(self.folder / "out/stream/packets.pcapng")), 0)
        self.assertLessEqual((self.folder / "out/stream/packets.pcapng").stat().st_size, 65536)
        self.assertGreater(self.result("out/stream")["packets_cut_at_ps"], 0)
