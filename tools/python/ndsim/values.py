# Values of Python as the command's options take them, and back.
# SPDX-License-Identifier: Apache-2.0
"""Turns values into the texts that --set and --vary take, and texts of sweeps into values."""
import json
import numbers
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

Path: TypeAlias = str | tuple[str, ...]


def text_of(value: Any) -> str:
    """A value as --set takes it: True is `true`, 64 is `64`, "25 Gbps" stays, a list or a dictionary is JSON.
    Other kinds of values raise TypeError."""
    if isinstance(value, str):
        return value
    known = value if isinstance(value, (bool, list, tuple, dict)) else plain(value)
    if isinstance(known, (bool, list, tuple, dict)):
        return json.dumps(known, default=plain)
    return str(known)


def plain(value: Any) -> bool | int | float:
    """A number or a flag of another library, such as NumPy's, as Python's own."""
    if isinstance(flag := getattr(value, "item", lambda: None)(), bool):
        return flag
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"a value of a scenario is a number, a text, a flag, a list or a dictionary, and not {value!r}")


def setting_of(path: str, value: Any) -> str:
    """The PATH=VALUE of --set."""
    if not path or "=" in path:
        raise ValueError(f"{path!r} is no path")
    return f"{path}={text_of(value)}"


def axis_of(path: Path, values: str | Iterable[Any]) -> str:
    """The PATH=LIST of --vary.

    `path` is one path, or a tuple of paths that are varied together. `values` are a list, whose entries are values, or
    tuples of a value for each path; or a text that --vary takes, such as "1..64*2". An entry in which there is a comma
    cannot be told from two: ValueError.
    """
    paths = (path,) if isinstance(path, str) else path
    if not paths or not all(paths) or "=" in "".join(paths):
        raise ValueError(f"{path!r} is no path")
    return f"{','.join(paths)}={list_of(values, len(paths))}"


def list_of(values: str | Iterable[Any], count: int) -> str:
    """The LIST of --vary, for so many paths. A long range stays short: the system passes on 128 KiB of it at most."""
    if isinstance(values, str):
        return values
    if isinstance(values, range) and len(values) > 64 and values.step > 0 and values[0] >= 0:
        return f"{values[0]}..{values[-1]}+{values.step}"
    return ",".join(entry_of(value, count) for value in values)


def entry_of(value: Any, count: int) -> str:
    """One entry of a list, for so many paths."""
    if isinstance(value, tuple):
        if len(value) != count:
            raise ValueError(f"{value!r} is not a value for each of {count} paths")
        parts = [text_of(part) for part in value]
    else:
        parts = [text_of(value)]
    for part in parts:
        if "," in part or (count > 1 and ":" in part):
            raise ValueError(f'{part!r} cannot be varied here; a scenario\'s own "sweep" can have it')
    return ":".join(parts)


def value_of(text: str) -> int | bool | str:
    """A value of a sweep's point: whole numbers and flags are such, and what has a unit is text."""
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return text == "true" if text in ("true", "false") else text


def texts_of(texts: str | Iterable[str]) -> list[str]:
    """One text, or several, as a list."""
    return [texts] if isinstance(texts, str) else list(texts)


def options_of(values: Mapping[str, Any]) -> list[str]:
    """Words of a command line. None and False leave an option out, True is a flag, a list is one several times."""
    words: list[str] = []
    for option, value in values.items():
        if value is True:
            words.append(option)
        elif isinstance(value, list):
            words.extend(word for each in value for word in (option, each))
        elif value is not None and value is not False:
            words.extend((option, str(value)))
    return words
