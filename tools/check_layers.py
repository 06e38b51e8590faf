#!/usr/bin/env python3
# Checks that every C++ file includes only what its room may use, and a few rules that every file keeps. Prints each
# offence as file:line: message and exits with 1 if there is one; --list prints the table of rooms.
# SPDX-License-Identifier: Apache-2.0
import argparse
import fnmatch
import os
import pathlib
import re
import sys

# A folder may use the folders before it in this line, never those after it. Tests may use everything.
FOLDERS = ("sim", "models", "ndapi", "scenarios", "tools", "tests")

UNITS = ("host", "root", "pcie", "doorbell", "wqe", "dma", "context", "translation", "protection", "transport", "cq", "wire", "switch", "control")

# Which rooms, or which headers of a room, each room may include besides itself.
ROOMS = {
    "sim/base": (),
    "sim/config": ("sim/base",),
    "sim/kernel": ("sim/base", "sim/config"),
    "sim/files": ("sim/base", "sim/kernel"),
    "models/proto": ("sim/base", "sim/config"),
    "models/ledger": ("sim/base",),
    "models/ports": ("models/ledger", "models/proto", "sim/*"),
    "models/parts": ("models/ports", "models/ledger", "models/proto", "sim/*"),
    **{f"models/{unit}": ("models/parts", "models/ports", "models/ledger", "models/proto", "sim/*") for unit in UNITS},
    "models/nic": ("models/*", "sim/*"),
    "ndapi/windows/abi": (),
    "ndapi/windows/include": ("ndapi/windows/abi", "ndapi/ndspi", "ndapi/wsd/*.h"),
    "ndapi/core": ("ndapi/windows/abi", "models/parts", "models/ports", "models/ledger", "models/proto", "models/host", "models/nic", "sim/*"),
    "ndapi/windows/os": ("ndapi/core", "ndapi/windows/abi", "sim/base"),
    "ndapi/ndk": ("ndapi/core", "ndapi/windows/abi", "sim/base"),
    **{f"ndapi/{face}": ("ndapi/windows/os", "ndapi/core", "ndapi/windows/abi", "sim/base") for face in ("ndspi", "wsd")},
    "ndapi/sockets": ("ndapi/wsd", "ndapi/windows/os", "ndapi/core", "ndapi/windows/abi", "sim/base"),
    "ndapi/windows/program": ("ndapi/windows/abi", "ndapi/ndspi", "ndapi/wsd/*.h"),
    "scenarios/format": ("sim/base", "sim/config", "models/proto", "models/*/*_params.hpp", "ndapi/windows/abi"),
    "scenarios/measure": ("scenarios/format", "sim/*"),
    "scenarios/world": ("scenarios/format", "ndapi/core", "models/*", "sim/*"),
    "scenarios/record": ("scenarios/world", "scenarios/format", "ndapi/core", "ndapi/windows/abi", "models/*", "sim/*"),
    "scenarios/hosts": ("scenarios/world", "scenarios/format", "ndapi/*", "models/host", "models/proto", "sim/*"),
    "scenarios/generators": (
        "scenarios/hosts", "scenarios/measure", "scenarios/record", "scenarios/world", "scenarios/format", "ndapi/*", "models/*",
        "sim/*"),
    "scenarios/result": (
        "scenarios/hosts", "scenarios/measure", "scenarios/record", "scenarios/world", "scenarios/format", "ndapi/core",
        "models/*", "sim/*"),
    "scenarios/run": (
        "scenarios/generators", "scenarios/result", "scenarios/hosts", "scenarios/measure", "scenarios/record", "scenarios/world",
        "scenarios/format", "ndapi/*", "models/*", "sim/*"),
    "scenarios/forecast": ("scenarios/*", "ndapi/core", "ndapi/windows/abi", "models/*", "sim/*"),
    "tools/cli": ("scenarios/*", "ndapi/*", "models/*", "sim/*"),
    "tools/inspect": ("tools/cli", "scenarios/*", "ndapi/core", "models/ledger", "sim/*"),
    "tools/sweep": ("tools/cli", "scenarios/*", "sim/*"),
    "tools/prove": ("tools/sweep", "tools/cli", "scenarios/*", "sim/*"),
    "tools/advise": ("tools/sweep", "tools/cli", "scenarios/*", "models/proto", "sim/*"),
    "tools/report": ("tools/inspect", "tools/sweep", "tools/cli", "scenarios/*", "models/ledger", "sim/*"),
    "tools/calibrate": ("tools/sensitivity", "tools/sweep", "tools/cli", "scenarios/*", "sim/*"),
    "tools/sensitivity": ("tools/sweep", "tools/cli", "scenarios/*", "sim/*"),
    "tools/main": ("tools/*",),
    "tests": ("*",),
}

# Files that must not see SystemC, neither themselves nor through what they include.
WITHOUT_SYSTEMC = (
    "sim/base/*", "sim/config/*", "models/proto/*", "models/ledger/*", "models/*_params.hpp", "ndapi/*.h", "scenarios/format/*")

INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]*)[">]')
SYSTEMC = re.compile(r"(systemc|sysc/|tlm)")
# Comments and literals, in which nothing is looked for; an include keeps its path.
NOT_CODE = re.compile(
    r"""(?P<include>^[ \t]*\#[ \t]*include[ \t]*["<][^">\n]*[">])
      | //[^\n]* | /\*.*?\*/
      | R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)" | "(?:\\.|[^"\\\n])*" | '(?:\\.[^'\n]*|[^'\\\n])'""",
    re.VERBOSE | re.MULTILINE | re.DOTALL)


def matches(path, patterns):
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)


def room_of(path):
    if path.startswith("tests/"):
        return "tests"
    folders = path.split("/")[:-1]
    deep = "/".join(folders[:3])
    return deep if deep in ROOMS else "/".join(folders[:2])


def code_of(text):
    def blank(match):
        return match.group("include") or "\n" * match.group().count("\n")
    return NOT_CODE.sub(blank, text)


class File:
    def __init__(self, root, path):
        self.path = path
        self.text = (root / path).read_text(encoding="utf-8", errors="replace")
        self.is_cpp = path.endswith((".cpp", ".hpp", ".h"))
        self.is_header = path.endswith((".hpp", ".h"))
        self.code = code_of(self.text).splitlines() if self.is_cpp else []
        # (line number, quote, path)
        self.includes = [(number, *match.groups()) for number, line in enumerate(self.code, 1)
                         if (match := INCLUDE.match(line))]


class Tree:
    def __init__(self, root):
        self.files = {}
        for folder in (*FOLDERS, ".ci"):
            for where, _, names in os.walk(root / folder):
                for name in names:
                    path = pathlib.Path(where, name)
                    relative = path.relative_to(root).as_posix()
                    if path.suffix in (".cpp", ".hpp", ".h", ".py", ".cmake") or is_script(path):
                        self.files[relative] = File(root, relative)

    def way_to_systemc(self, path, seen):
        """The chain of includes from `path` to SystemC, or None."""
        if path not in self.files or path in seen:
            return None
        seen.add(path)
        for _, quote, included in self.files[path].includes:
            if quote == "<" and SYSTEMC.match(included):
                return [path]
            if rest := self.way_to_systemc(included, seen):
                return [path, *rest]
        return None

    def offences(self):
        for path in sorted(self.files):
            file = self.files[path]
            found = [*spdx_offence(file)]
            if file.is_cpp:
                found += [*header_offences(file), *clang_offences(file), *include_offences(file), *self.systemc_offences(file)]
            for number, message in sorted(found):
                yield f"{path}:{number}: {message}"

    def systemc_offences(self, file):
        if not matches(file.path, WITHOUT_SYSTEMC):
            return
        for number, quote, included in file.includes:
            if quote == "<" and SYSTEMC.match(included):
                yield number, "this file must not know SystemC"
            elif way := self.way_to_systemc(included, set()):
                yield number, f"this file must not know SystemC, which comes in through {' -> '.join(way)}"


def is_script(path):
    if path.suffix or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def spdx_offence(file):
    if not any("SPDX-License-Identifier: Apache-2.0" in line for line in file.text.splitlines()[:5]):
        yield 1, "the line 'SPDX-License-Identifier: Apache-2.0' is missing from the top"


def header_offences(file):
    if not file.is_header:
        return
    if not any(re.match(r"\s*#\s*pragma\s+once\b", line) for line in file.code):
        yield 1, "a header needs '#pragma once'"
    for number, line in enumerate(file.code, 1):
        if re.search(r"\busing\s+namespace\b", line):
            yield number, "no 'using namespace' in a header"


# Clang 14 does not compile these of GCC 12's library.
NOT_WITH_CLANG = re.compile(r"\bstd::(?:views|ranges::views)\b|\branges::(?:rotate|remove|remove_if|unique|search|equal_range|subrange)\b")


def clang_offences(file):
    for number, line in enumerate(file.code, 1):
        if found := NOT_WITH_CLANG.search(line):
            yield number, f"Clang 14 cannot compile {found.group()}: use the algorithm of <algorithm> with iterators, or a loop"


def may_include(allowed, included):
    there = room_of(included)
    rooms = [pattern for pattern in allowed if not there.startswith(f"{pattern}/")]  # not a room inside an allowed one
    return matches(included, [*rooms, *(f"{room}/*" for room in rooms)])


def include_offences(file):
    room = room_of(file.path)
    if room not in ROOMS:
        yield 1, f"the table of rooms in tools/check_layers.py has no {room}"
        return
    allowed = ROOMS[room]
    for number, quote, included in file.includes:
        is_ours = included.split("/")[0] in FOLDERS and "/" in included
        if quote == "<" and is_ours:
            yield number, f"our own headers are included with quotes: \"{included}\""
        elif quote == '"' and (not is_ours or ".." in included.split("/")):
            yield number, f"\"{included}\" is not written from the repository's root (and what is not ours needs <>)"
            continue
        if not is_ours or room_of(included) == room:
            continue
        if room_of(included) not in ROOMS:
            yield number, f"the table of rooms in tools/check_layers.py has no {room_of(included)}"
        elif not may_include(allowed, included):
            yield number, f"{room} may not include {included} (allowed: {', '.join(allowed) or 'nothing of ours'})"


def print_table():
    width = max(map(len, ROOMS))
    for room, allowed in ROOMS.items():
        note = "; no SystemC" if f"{room}/*" in WITHOUT_SYSTEMC else ""
        print(f"{room:{width}}  may use {', '.join(allowed) or 'nothing of ours'}{note}")


def main():
    parser = argparse.ArgumentParser(description="Checks who includes whom.")
    parser.add_argument("--list", action="store_true", help="print the table of rooms")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    if arguments.list:
        print_table()
        return 0
    offences = list(Tree(arguments.root).offences())
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
