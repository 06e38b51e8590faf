# A scenario with its overrides, and what can be done with it.
# SPDX-License-Identifier: Apache-2.0
"""Scenarios: loading, overriding, and the commands that run them."""
import dataclasses
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Self, TypeAlias

from .advice import Advice
from .folder import Folder
from .run import Run
from .sweep import Sweep
from .values import Path, axis_of, options_of, plain, setting_of, texts_of

Where: TypeAlias = str | os.PathLike[str]


@dataclasses.dataclass(frozen=True)
class Scenario:
    """A scenario with its overrides. It does not change: override() makes another one.

    `file` is what the command takes as FILE, `text` the scenario itself if it has no file. Nothing is read or checked
    before a command runs it.
    """

    file: str
    text: str | None = None
    overrides: tuple[str, ...] = ()
    presets: tuple[str, ...] = ()

    def override(self, values: Mapping[str, Any]) -> Self:
        """This scenario with other values: paths as --set takes them, such as `hosts.A.nic.sq.depth`, `nic.sq.depth`
        (of all hosts) or `link.rate` (of all links), and numbers, flags, texts with a unit, or lists. For the same path
        the later one counts."""
        more = tuple(setting_of(path, value) for path, value in values.items())
        return dataclasses.replace(self, overrides=self.overrides + more)

    def words(self) -> list[str]:
        """The scenario as words of a command line."""
        return [self.file, *options_of({"--set": list(self.overrides), "--preset": list(self.presets)})]

    def run(self, *, out: Where | None = None, check: bool = False, waves: bool | None = None,
            packets: bool | None = None, timeline: bool | None = None, prove_limits: bool = False,
            error_bars: bool = False, show_effect: bool = False) -> Run:
        """Runs it once.

        `out` is the folder for the outputs; without one it is temporary. `waves`, `packets` and `timeline` say whether
        these are recorded, whatever the scenario says. `prove_limits` and `error_bars` do many more runs, and add what
        came of them to `result["limits"]` and as `result["error_bars"]`. `show_effect` adds the parameters without
        effect, as `result["without_effect"]`.

        An expectation that is not met is a result (`exit` is 1), unless `check` is True: then it raises Failed. So do a
        limit and a stall. ScenarioError if the scenario is wrong.
        """
        records = {"waves": waves, "packets": packets, "timeline": timeline}
        options = options_of({"--prove-limits": bool(prove_limits), "--error-bars": bool(error_bars),
                              "--show-effect": bool(show_effect),
                              **{f"--{'' if wanted else 'no-'}{name}": wanted is not None
                                 for name, wanted in records.items()}})
        return Run.of(["run", *self.words(), *options], self.text, Folder(out), check)

    def sweep(self, vary: Mapping[Path, str | Iterable[Any]] | None = None, *, jobs: int | None = None,
              metrics: str | Iterable[str] = (), out: Where | None = None, check: bool = False) -> Sweep:
        """Runs it at many points: all combinations of what `vary` says, the last path fastest.

        `vary` has paths and their values: `{"nic.sq.depth": [1, 2, 4], "link.length": ["2 m", "100 m"]}`, or a text as
        --vary takes it, "1..64*2". A tuple of paths is varied together, by tuples of values. Without `vary`, what the
        scenario's "sweep" says is varied. `jobs` is how many points run at once, one for each core by default;
        `metrics` are further figures for the rows.

        With the same `out`, only points run that are not known yet. If points fail or do not meet their expectations,
        that is a result (`exit` is 1), unless `check` is True: then it raises Failed. ScenarioError if a point cannot
        be.
        """
        axes = [axis_of(path, values) for path, values in (vary or {}).items()]
        options = options_of({"--vary": axes, "--jobs": jobs, "--metric": texts_of(metrics)})
        return Sweep.of(["sweep", *self.words(), *options], self.text, Folder(out), check)

    def advise(self, target: str | Iterable[str] = (), *, hold: str | Iterable[str] = (),
               search: str | Iterable[str] = (), cost: Mapping[str, int] | None = None, seeds: int | None = None,
               jitter: str | None = None, time: str | None = None, jobs: int | None = None, error_bars: bool = False,
               out: Where | None = None, check: bool = False) -> Advice:
        """Finds the smallest depths that meet the target: one or several of "95 % of line rate", "p99 < 5 us" and the
        like, or the scenario's own.

        `hold` and `search` are depths that stay, or that are searched as well. `cost` is what one more of a depth
        costs, by path. Depths are tried with so many other `seeds`, and with software that is late by `jitter`
        ("50 ns") on average. `time` ("60 s") ends the search. `jobs`, `out` and `error_bars` are as in sweep() and
        run().

        If no depths are known to be enough, that is a result (`exit` is 1), unless `check` is True: then it raises
        Failed.
        """
        options = options_of({
            "--target": texts_of(target), "--hold": texts_of(hold), "--search": texts_of(search),
            "--cost": [setting_of(path, each) for path, each in (cost or {}).items()], "--seeds": seeds,
            "--jitter": jitter, "--time": time, "--jobs": jobs, "--error-bars": error_bars})
        return Advice.of(["advise", *self.words(), *options], self.text, Folder(out), check)


Source: TypeAlias = Scenario | Where | Mapping[str, Any]


def load(source: Source, *, presets: Where | Iterable[Where] = ()) -> Scenario:
    """A scenario: from a file, by its name in the library ("quickstart"), or from a dictionary of the same form.

    `presets` are files of values, as --preset takes them. Nothing is read yet: what is wrong with it, the first command
    says. A file is found from the folder that Python is in now.
    """
    files = [presets] if isinstance(presets, (str, os.PathLike)) else presets
    values = tuple(os.path.abspath(file) for file in files)
    if isinstance(source, Scenario):
        return dataclasses.replace(source, presets=source.presets + values)
    if isinstance(source, Mapping):
        return Scenario("-", json.dumps(dict(source), indent=2, default=plain), presets=values)
    name = os.fspath(source)
    is_folder = os.path.isdir(name) and os.path.basename(name) == name  # hides no scenario of the library
    is_file = (os.path.exists(name) and not is_folder) or name.startswith("-")  # never an option of the command
    return Scenario(os.path.abspath(name) if is_file else name, presets=values)
