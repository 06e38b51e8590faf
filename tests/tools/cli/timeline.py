# Reads what "ndsim run --timeline" writes, by the description of the format alone, and checks what every file keeps.
# SPDX-License-Identifier: Apache-2.0
import collections
import gzip
import json
import re

TIME = re.compile(r"\d+\.\d{6}")


def picoseconds(text):
    """Times are microseconds with six decimals."""
    assert TIME.fullmatch(text), text
    return int(text.replace(".", ""))


def events(path):
    """The events of a file, which may be compressed, times in picoseconds."""
    text = path.read_bytes()
    text = gzip.decompress(text) if path.suffix == ".gz" else text
    return json.loads(text, parse_float=picoseconds)["traceEvents"]


def names(events, kind="thread_name"):
    """What tracks are called, or, by process_name, groups of tracks."""
    key = "tid" if kind == "thread_name" else "pid"
    return {event[key]: event["args"]["name"] for event in events if event["ph"] == "M" and event["name"] == kind}


class Slice:
    def __init__(self, event, end, depth):
        self.name, self.track, self.start, self.end = event["name"], event["tid"], event["ts"], end
        self.args, self.depth, self.category = dict(event.get("args", {})), depth, event["cat"]
        self.inner = []


def slices(test, events):
    """All slices, each in those that hold it. In a track, slices nest, to the picosecond and as viewers round them."""
    found = []
    under_way = collections.defaultdict(list)
    for event in events:
        if event["ph"] not in "BEX":
            continue
        stack = under_way[event["tid"]]
        while stack and stack[-1].end is not None and stack[-1].end <= event["ts"]:
            stack.pop()
        if event["ph"] == "E":
            test.assertTrue(stack and stack[-1].end is None, event)
            stack[-1].end = event["ts"]
            stack[-1].args.update(event.get("args", {}))
            stack.pop()
            continue
        end = None
        if event["ph"] == "X":
            test.assertGreaterEqual(event["dur"], 0)
            end = event["ts"] + event["dur"]
            rounded = event["ts"] // 1000 + event["dur"] // 1000
            for outer in stack:
                test.assertTrue(outer.end is None or (end <= outer.end and rounded <= outer.end // 1000), event)
        piece = Slice(event, end, len(stack))
        if stack:
            stack[-1].inner.append(piece)
        stack.append(piece)
        found.append(piece)
    test.assertTrue(all(piece.end is not None for piece in found), "whatever begins ends")
    return found


def check(test, events, cut=False):
    """Returns the slices. A file that came to its limit may have arrows that lead nowhere."""
    tracks = names(events)
    groups = names(events, "process_name")
    said = set()
    last = 0
    for event in events:
        if event["ph"] == "M":
            said.add(event.get("tid"))
            continue
        test.assertIn(event["ph"], "BEXCstf")
        test.assertGreaterEqual(event["ts"], last, "in the order of their times")
        last = event["ts"]
        test.assertIn(event["pid"], groups)
        if event["ph"] != "C":
            test.assertIn(event["tid"], said, "a track has a name before it is used")
    test.assertEqual(len(set(tracks.values())), len(tracks), "each track has a name of its own")
    found = slices(test, events)
    check_arrows(test, events, found, cut)
    return found


def check_arrows(test, events, found, cut):
    begins = {(piece.track, piece.start) for piece in found}
    arrows = collections.defaultdict(list)
    for event in events:
        if event["ph"] in "stf":
            test.assertIn((event["tid"], event["ts"]), begins, "an arrow is bound to a slice that begins there")
            test.assertEqual(event.get("bp"), "e" if event["ph"] == "f" else None)
            arrows[event["id"]].append(event["ph"])
    for steps in arrows.values():
        if not cut or "f" in steps:
            test.assertRegex("".join(steps), r"^st*f$")
