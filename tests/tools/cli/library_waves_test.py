# Tests docs/library-waveforms.md against the waveforms of runs: each time, signal and value that it names, and whether
# the view of GTKWave shows them. The page says "at TIME `SIGNAL` becomes `VALUE`", or "rises to", or "falls to", or
# "from TIME to TIME `SIGNAL` is `VALUE`"; behind "before the view" a time may lie before the view.
# SPDX-License-Identifier: Apache-2.0
import re

from support import LIBRARY, ROOT, CliTest
from vcd import changes

TIME = r"(\d+(?:\.\d+)?) us"
CHANGE = re.compile(rf"(before the view, )?at {TIME} `([^`]+)` (becomes|rises to|falls to) `([^`]+)`", re.I)
STAY = re.compile(rf"(before the view, )?from {TIME} to {TIME} `([^`]+)` is `([^`]+)`", re.I)
SIGNAL = re.compile(r"`(\w+(?:\.\w+)*\.[a-z_]\w*)`")  # `S3.16` is a request
NOT_SHOWN = {"dma-reads"}


def texts():
    """The text of each scenario, on one line."""
    page = (ROOT / "docs" / "library-waveforms.md").read_text(encoding="utf-8")
    parts = re.split(r"^### `(.+)`$", page, flags=re.M)[1:]
    return {name: " ".join(re.sub(r"^## .*", "", text, flags=re.M).split())
            for name, text in zip(parts[::2], parts[1::2])}


class Waveform:
    """The changes of the signals of a run, and its view."""

    def __init__(self, folder, signals):
        self.changes = changes(folder / "waves.vcd", signals)
        view = (folder / "waves.gtkw").read_text(encoding="utf-8")
        self.start = int(re.search(r"^\[timestart\] (\d+)$", view, re.M)[1])
        # The zoom is the negated binary logarithm of the time in 200 pixels; panes and frames leave the rest of 1600.
        zoom = -float(re.search(r"^\*(-[\d.]+) ", view, re.M)[1])
        names = int(re.search(r"^\[signals_width\] (\d+)$", view, re.M)[1])
        self.end = self.start + 2**zoom / 200 * (1600 - 200 - names - 102)
        # Groups begin with 0x800000, and those that are closed with 0x400000, too.
        opened = re.sub(r"^@c00200\n.*?^@1401200\n", "", view, flags=re.M | re.S)
        self.shown = set(re.findall(r"^\+\{[^}]*\} ([\w.]+)", opened, re.M))

    def at(self, time, signal, value):
        """The index of the change to this value at a time that the page has rounded."""
        half = 10**(6 - len(time.partition(".")[2])) / 2
        found = [i for i, (when, new) in enumerate(self.changes[signal])
                 if new == value and abs(when - float(time) * 1e6) <= half + 1]
        assert found, f"{signal} does not become {value} at {time} us; near it: {self.near(signal, time)}"
        return found[0]

    def near(self, signal, time):
        return sorted(self.changes[signal], key=lambda change: abs(change[0] - float(time) * 1e6))[:3]

    def look(self, early, time, signal):
        assert signal in self.shown, f"the view has no {signal}"
        inside = self.start - 1e4 <= float(time) * 1e6 <= self.end
        assert inside != bool(early), f"the view from {self.start} ps to {self.end:.0f} ps, and {time} us"


class LibraryWaves(CliTest):
    def check(self, text, wave):
        for early, time, signal, how, value in CHANGE.findall(text):
            wave.look(early, time, signal)
            index = wave.at(time, signal, value)
            if how != "becomes":
                before, now = (int(wave.changes[signal][i][1]) for i in (index - 1, index))
                self.assertEqual(how, "rises to" if now > before else "falls to", f"{signal} at {time} us")
        for early, begin, end, signal, value in STAY.findall(text):
            wave.look(early, begin, signal)
            wave.look(early, end, signal)
            index = wave.at(begin, signal, value)
            after = wave.changes[signal][index + 1]
            self.assertEqual(index + 1, wave.at(end, signal, after[1]), f"{signal} leaves {value} at {after[0]} ps")

    def test_each_scenario_has_a_text(self):
        names = sorted(path.stem for path in LIBRARY.glob("*.json"))
        self.assertEqual(sorted([*texts(), *NOT_SHOWN]), names)

    def test_each_time_has_the_form_that_is_checked(self):
        for name, text in texts().items():
            with self.subTest(name):
                clauses = len(CHANGE.findall(text)) + len(STAY.findall(text))
                self.assertGreater(clauses, 0)
                self.assertEqual(len(re.findall(r"(?:at|from) \d[\d.]* us\b", text, re.I)), clauses)

    def test_the_waveforms_show_what_the_texts_say(self):
        for name, text in texts().items():
            with self.subTest(name):
                self.ndsim("run", LIBRARY / f"{name}.json", "--waves", "--out", name)
                signals = set(SIGNAL.findall(text))
                wave = Waveform(self.folder / name, signals)
                self.assertEqual(signals - set(wave.changes), set(), "no such signals")
                self.check(text, wave)
