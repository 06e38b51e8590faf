# Where the command is.
# SPDX-License-Identifier: Apache-2.0
"""Finds the ndsim command."""
import os
import pathlib
import shutil

from .errors import CommandNotFound


def installed_command() -> pathlib.Path | None:
    """The command of the installation that this package is part of: PREFIX/bin/ndsim for
    PREFIX/lib/python3/dist-packages/ndsim. None if this package stands elsewhere."""
    folders = pathlib.Path(__file__).resolve().parents
    if [folder.name for folder in folders[1:4]] != ["dist-packages", "python3", "lib"]:
        return None
    command = folders[4] / "bin" / "ndsim"
    return command if command.is_file() else None


def find_command() -> str:
    """The command that all functions run: the one that NDSIM in the environment names, else the one that was installed
    with this package, else the first one in PATH. CommandNotFound if there is none."""
    if named := os.environ.get("NDSIM"):
        if found := shutil.which(named):
            return found
        raise CommandNotFound(f"NDSIM is {named}, which is no command")
    found = shutil.which(str(installed_command() or "ndsim"))
    if found is None:
        raise CommandNotFound("there is no ndsim in PATH; the environment's NDSIM may name the command")
    return found
