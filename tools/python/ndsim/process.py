# One process of the command, from its words to what its envelope says.
# SPDX-License-Identifier: Apache-2.0
"""Runs the command with --json, and reads the one object that it prints."""
import dataclasses
import json
import signal
import subprocess
from collections.abc import Iterable
from typing import Any

from .command import find_command
from .errors import Failed, Problem, ScenarioError


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a command said: its exit code, its result, why the code is not 0, and its warnings (stderr)."""

    exit: int
    result: dict[str, Any]
    error: str
    stderr: str


def ask(words: Iterable[str], text: str | None = None, results: tuple[int, ...] = (0, 1)) -> Answer:
    """Runs `ndsim WORDS --json`, with `text` as its stdin, and waits for its end.

    An exit code in `results` is an answer. Anything else raises ScenarioError or Failed. Ctrl-C ends the command as it
    does in a shell, so that its outputs are whole, and raises KeyboardInterrupt.
    """
    command = [find_command(), *words, "--json"]
    code, out, err = finish(command, text)
    said = envelope_of(out)
    if problems := said.get("problems"):
        raise ScenarioError(tuple(Problem(**problem) for problem in problems))
    error = said.get("error", "")
    result = said.get("result")
    if result is None or code not in results:
        raise Failed(code, error or err.strip() or "it printed no JSON", err, result)
    return Answer(code, result, error, err)


def finish(command: list[str], text: str | None) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command. It has a process group of its own: of Ctrl-C in a terminal it gets one
    signal only, from here. A second one would end it before its outputs are written."""
    stdin = subprocess.DEVNULL if text is None else subprocess.PIPE
    try:
        begun = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 encoding="utf-8", errors="replace", process_group=0)
    except OSError as error:  # a file that is no program; more words than the system passes on
        raise Failed(126, f"{command[0]} could not be started: {error.strerror}", "") from error
    with begun as process:
        try:
            out, err = process.communicate(text)
        except BaseException:
            stop(process)
            raise
    return process.returncode, out, err


def stop(process: subprocess.Popen[str]) -> None:
    """Asks the process to end, and waits until it has. A second Ctrl-C ends it at once."""
    process.send_signal(signal.SIGINT)
    try:
        process.communicate()
    except BaseException:
        process.kill()
        raise


def envelope_of(out: str) -> dict[str, Any]:
    """The object that the command printed; an empty one if it printed something else."""
    try:
        said = json.loads(out)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
