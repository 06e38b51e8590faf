# Reads what "ndsim run --packets" writes, by the description of the format alone.
# SPDX-License-Identifier: Apache-2.0
import dataclasses
import struct

SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
COMMENT, FLAGS, PACKET_ID, NAME, RESOLUTION = 1, 2, 5, 2, 9


@dataclasses.dataclass
class Captured:
    interface: str
    direction: str  # "in" or "out"
    nanoseconds: int
    number: int
    comment: str
    frame: bytes


def blocks(data):
    """Type and body of every block; a file that ends within one is not whole."""
    at = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if at + length > len(data) or struct.unpack_from("<I", data, at + length - 4)[0] != length:
            raise ValueError(f"a block of {length} bytes at {at} of {len(data)} is not whole")
        yield kind, data[at + 8:at + length - 4]
        at += length


def options(body):
    found = {}
    while body:
        code, length = struct.unpack_from("<HH", body)
        if code == 0:
            break
        found[code] = body[4:4 + length]
        body = body[4 + (length + 3) // 4 * 4:]
    return found


def packets(path):
    data = path.read_bytes()
    names, found = [], []
    for kind, body in blocks(data):
        if kind == INTERFACE:
            described = options(body[8:])
            assert described[RESOLUTION] == b"\x09"
            names.append(described[NAME].decode())
        elif kind == PACKET:
            interface, high, low, captured, original = struct.unpack_from("<5I", body)
            assert captured == original
            said = options(body[20 + (captured + 3) // 4 * 4:])
            found.append(Captured(names[interface], {1: "in", 2: "out"}[struct.unpack("<I", said[FLAGS])[0]],
                                  high << 32 | low, struct.unpack("<Q", said[PACKET_ID])[0],
                                  said[COMMENT].decode(), body[20:20 + captured]))
    return found
