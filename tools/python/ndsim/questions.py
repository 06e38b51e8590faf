# What can be asked without running anything.
# SPDX-License-Identifier: Apache-2.0
"""Questions to the command: what is wrong with a scenario, which figures it has, which presets there are."""
import dataclasses
from typing import Any

from .process import Answer, ask
from .scenario import Source, load


@dataclasses.dataclass(frozen=True)
class Check:
    """What can be known of a scenario without running it.

    `exit` is the code that a run surely ends with: 1 if an expectation cannot be met or a connection breaks, 5 if it
    takes longer than its limit, 6 if it never ends; else 0. `error` says so in words. `result` has `parameters` (the
    value and the origin of each by its path), `hints` and more.
    """

    exit: int
    error: str
    result: dict[str, Any]

    @property
    def ok(self) -> bool:
        """Whether the exit code is 0."""
        return self.exit == 0

    @property
    def parameters(self) -> dict[str, str]:
        """All parameters: the value by the path."""
        return {path: parameter["value"] for path, parameter in self.result["parameters"].items()}


def check(source: Source) -> Check:
    """Looks at a scenario without running it. ScenarioError if it is wrong."""
    answer = ask_of("check", source, results=(0, 1, 5, 6))
    return Check(answer.exit, answer.error, answer.result)


def metrics(source: Source, *parts: str) -> dict[str, dict[str, str]]:
    """The figures that runs of a scenario may have: for each name its `unit` and a `sentence`. With `parts`, those in
    whose name or sentence all of these texts are."""
    return ask_of("metrics", source, *parts).result


def presets() -> dict[str, str]:
    """The presets that hosts may have: for each name what it is."""
    return ask(["presets", "list"]).result


def preset(name: str) -> dict[str, dict[str, str]]:
    """The parameters of a preset: for each path its `value`, its `mark` (how well it is known), its `source` and a
    `sentence`. Failed if there is no such preset."""
    return ask(["presets", "show", name]).result


def version() -> dict[str, str]:
    """The versions of the command (`ndsim`) and of the SystemC in it (`systemc`)."""
    return ask(["version"]).result


def ask_of(command: str, source: Source, *words: str, results: tuple[int, ...] = (0,)) -> Answer:
    """What a command says of a scenario."""
    scenario = load(source)
    return ask([command, *scenario.words(), *words], scenario.text, results)
