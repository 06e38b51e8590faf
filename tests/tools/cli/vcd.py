# Reads the waveforms that ndsim writes, by the description of the format alone.
# SPDX-License-Identifier: Apache-2.0
import re


def changes(path, wanted):
    """The changes of the wanted signals as pairs of picoseconds and a value; states have their names."""
    found = {}
    states = {}
    codes = {}
    scope = []
    at = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words[0] == "$comment":
                comment = line
            elif words[0] == "$scope":
                scope.append(words[2])
            elif words[0] == "$upscope":
                scope.pop()
            elif words[0] == "$var":
                name = ".".join([*scope, words[4]])
                if name in wanted:
                    codes[words[3]] = name
                    found[name] = []
                    states[name] = dict(re.findall(r"(\d+) (\S+?)(?:,| \$end)", comment.partition("; states: ")[2]))
            elif words[0] == "$enddefinitions":
                break
        for line in lines:
            if line[0] == "#":
                at = int(line[1:])
            elif line[0] in "b01":
                digits, code = line[1:].split() if line[0] == "b" else (line[0], line[1:].strip())
                if code in codes:
                    value = str(int(digits, 2))
                    found[codes[code]].append((at, states[codes[code]].get(value, value)))
            elif line[0] == "s":
                text, code = line[1:].split()
                if code in codes:
                    found[codes[code]].append((at, text))
    return found
