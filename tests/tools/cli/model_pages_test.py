# Tests the pages in docs/model against the program: parameters with their values and marks, statistics, probes.
# SPDX-License-Identifier: Apache-2.0
import re

from support import QUICKSTART, ROOT, CliTest

PAGES = ROOT / "docs" / "model"
POOL_STATISTICS = {"capacity", "now", "high_water", "mean_milli", "p50", "p90", "p99", "full", "empty"}
ENGINE_STATISTICS = {"idle", "busy", "blocked"}  # like those of pools told once, in README.md


def words_of(page):
    """What stands in `backticks` on a page."""
    return set(re.findall(r"`([^`\n]+)`", (PAGES / page).read_text(encoding="utf-8")))


def pages_of_units():
    """The page of each unit, from the table in README.md: {"nic.wqe": "wqe.md"}."""
    pages = {}
    for line in (PAGES / "README.md").read_text(encoding="utf-8").splitlines():
        if page := re.match(r"\| \[\w+\]\((\w+\.md)\) \|", line):
            for unit in re.findall(r"`([^`]+)`", line):
                pages[unit.removeprefix("A.").replace("cpu_NAME", "cpu_t")] = page[1]
    return pages


def pools_of(page):
    """The pools whose four facts are on a page: when taken, when given back, by whom shared, what happens when full."""
    pools, columns = set(), None
    for line in (PAGES / page).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if {"pool", "taken", "given back", "shared by", "when full"} <= set(cells):
            columns = len(cells)
        elif not cells:
            columns = None
        elif columns == len(cells) and all(cells):
            pools.update(re.findall(r"`([^`]+)`", cells[0]))
    return pools


def engines_told():
    """The engines of README.md's table, and what it says that they are blocked by."""
    engines, inside = {}, False
    for line in (PAGES / "README.md").read_text(encoding="utf-8").splitlines():
        if line == "| engine | busy while | blocked by |":
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            names, _, by = (cell.strip() for cell in line.strip("|").split("|"))
            for name in re.findall(r"`([^`]+)`", names):
                engines[name.replace("_NAME", "_t")] = set(re.findall(r"`([^`]+)`", by))
    return engines


def probes_of(vcd):
    """The signals of a waveform, with their scopes."""
    scopes, probes = [], set()
    for line in vcd.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"]:
            probes.add(".".join([*scopes, words[4]]))
        elif words[:1] == ["$enddefinitions"]:
            break
    return probes


class Parameters(CliTest):
    def test_each_is_on_a_page_with_its_value_and_mark(self):
        told = {}
        for page in sorted(PAGES.glob("*.md")):
            prefix = None
            for line in page.read_text(encoding="utf-8").splitlines():
                if heading := re.match(r"\| parameter (?:`(\w+\.)`|of a (link)) \|", line):
                    prefix = heading[1] or "link."
                elif row := re.match(r"\| `([\w.]+)` \| `?([^|`]+)`? \| .* \| (\w+) \|$", line):
                    if prefix:
                        told[prefix + row[1]] = (row[2], row[3])
                elif not line.startswith("|"):
                    prefix = None
        shown = self.envelope("presets", "show", "B")["result"]
        self.assertEqual(told, {path: (row["value"], row["mark"]) for path, row in shown.items()})


class Units(CliTest):
    def setUp(self):
        super().setUp()
        self.pages = pages_of_units()
        self.ndsim("run", self.small, "--waves", "--out", "traffic")
        self.ndsim("run", QUICKSTART, "--out", "programs")

    def check(self, names, engines=(), host="A."):
        for name in sorted(names):
            of, _, statistic = name.rpartition(".")
            if of in engines and statistic in ENGINE_STATISTICS:
                continue
            name = re.sub(r"^(qps|cqs|srqs)\.\w+\.", r"\1.NAME.", name.removeprefix(host))
            unit = max((unit for unit in self.pages if name.startswith(unit + ".")), key=len, default=None)
            self.assertIsNotNone(unit, f"{name}: its unit is not in README.md")
            told = words_of(self.pages[unit])
            parts = name[len(unit) + 1:].split(".")
            self.assertIn(parts[0], told, f"{name} is not on {self.pages[unit]}")
            if of in engines:
                self.assertIn(statistic, told, f"{name} is not on {self.pages[unit]}")
            elif len(parts) > 1:
                self.assertIn(parts[1], POOL_STATISTICS, name)
                self.assertIn(parts[0], pools_of(self.pages[unit]), f"{name}: {self.pages[unit]} has not its four facts")

    def test_every_statistic_is_on_its_page(self):
        for run in ("traffic", "programs"):
            result = self.result(run)
            self.check((name for name in result["metrics"] if name.startswith(("A.", "l0_A_to_B."))),
                       {engine["engine"] for engine in result["engines"]})
        self.assertLessEqual(POOL_STATISTICS | ENGINE_STATISTICS, words_of("README.md"))

    def test_every_engine_is_in_the_table_with_what_blocks_it(self):
        told = engines_told()
        seen = {engine["engine"]: set(engine["blocked_by_ps"]) for run in ("traffic", "programs")
                for engine in self.result(run)["engines"] if engine["engine"].startswith(("A.", "l0_A_to_B"))}
        self.assertGreater(len(seen), 12)
        self.assertEqual({engine: by for engine, by in told.items() if engine != "A.dma_t"}, seen)

    def test_every_probe_is_on_its_page(self):
        for run in ("traffic", "programs"):
            probes = probes_of(self.folder / run / "waves.vcd")
            self.assertGreater(len(probes), 20)
            self.check(name for name in probes if name.startswith(("A.", "l0_A_to_B.")))
