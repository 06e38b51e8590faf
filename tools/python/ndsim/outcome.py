# What all commands that write a folder have in common.
# SPDX-License-Identifier: Apache-2.0
"""The outcome of a command: its exit code, its result as a dictionary, its folder."""
import difflib
import pathlib
from collections.abc import Iterable
from typing import Any, Self

from .errors import Failed
from .folder import Folder
from .process import Answer, ask


class Outcome:
    """What came of a command. Used in a `with`, or closed, a temporary folder is removed at once."""

    def __init__(self, answer: Answer, folder: Folder) -> None:
        self._answer = answer
        self._folder = folder

    @classmethod
    def of(cls, words: Iterable[str], text: str | None, folder: Folder, check: bool) -> Self:
        """Runs the command with this folder as --out. With `check`, exit code 1 raises Failed."""
        try:
            answer = ask([*words, "--out", str(folder.path)], text)
            if check and answer.exit != 0:
                raise Failed(answer.exit, answer.error, answer.stderr, answer.result)
        except BaseException:
            folder.close()
            raise
        return cls(answer, folder)

    @property
    def exit(self) -> int:
        """The exit code of the command: 0 or 1."""
        return self._answer.exit

    @property
    def ok(self) -> bool:
        """Whether the exit code is 0."""
        return self.exit == 0

    @property
    def error(self) -> str:
        """Why the exit code is 1; empty if it is 0."""
        return self._answer.error

    @property
    def warnings(self) -> str:
        """What the command wrote to stderr."""
        return self._answer.stderr

    @property
    def result(self) -> dict[str, Any]:
        """The `"result"` of what the command printed."""
        return self._answer.result

    @property
    def folder(self) -> pathlib.Path:
        """The folder of all outputs."""
        return self._folder.path

    def close(self) -> None:
        """Removes the folder if it is a temporary one. What needs a file of it fails from then on."""
        self._folder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def unknown(kind: str, name: str, names: Iterable[str]) -> KeyError:
    """The exception for a name that is not there, with the nearest one that is."""
    near = difflib.get_close_matches(name, list(names), 1)
    return KeyError(f"there is no {kind} {name}" + (f"; did you mean {near[0]}?" if near else ""))
