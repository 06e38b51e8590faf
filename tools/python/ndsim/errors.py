# What can go wrong, as exceptions.
# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package: all of them are an Error."""
import dataclasses
from typing import Any


class Error(Exception):
    """The command did not do what it was asked for."""


class CommandNotFound(Error):
    """There is no ndsim command: neither in NDSIM, nor where this package is installed, nor in PATH."""


@dataclasses.dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a scenario, an override or a preset.

    `file` is the scenario's, or `--set`, `--vary` or `--target`, or `stdin` for a scenario that is a dictionary. `line`
    and `column` begin at 1; both are 0 where there is no text to point at. `path` is that of the value, such as
    `hosts.A.nic.sq.depth`. `message` says what was expected and what was found, `hint` what to do, and may be empty.
    """

    file: str
    line: int
    column: int
    path: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        text = ": ".join(part for part in (place, self.path, self.message) if part)
        return f"{text} ({self.hint})" if self.hint else text


class ScenarioError(Error):
    """The scenario, an override or a preset is wrong; nothing was run. `problems` has all that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems

    def __reduce__(self) -> tuple[Any, ...]:  # between processes
        return type(self), (self.problems,)


class Failed(Error):
    """The command ended with a code that is not a result.

    `code` is the exit code, or -N if signal N ended the process; `stderr` is all that the command wrote there. `result`
    has what there is of a run that a limit ended (5) or that stalled (6), and is None if there is nothing.
    """

    def __init__(self, code: int, why: str, stderr: str, result: dict[str, Any] | None = None) -> None:
        super().__init__(f"ndsim ended with {code}: {why}")
        self.code = code
        self.why = why
        self.stderr = stderr
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:  # between processes
        return type(self), (self.code, self.why, self.stderr, self.result)
