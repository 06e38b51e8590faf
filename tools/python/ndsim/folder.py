# The folder that a command writes.
# SPDX-License-Identifier: Apache-2.0
"""A folder for outputs: one that the caller named and keeps, or a temporary one."""
import os
import pathlib
import shutil
import tempfile
import weakref


class Folder:
    """A folder for the outputs of one command.

    `out` is where the caller wants it. If that is None, it is a temporary folder, which is removed by close(), when
    nobody has the object any more, and when Python ends.
    """

    def __init__(self, out: str | os.PathLike[str] | None) -> None:
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="ndsim-") if out is None else os.path.abspath(out))
        self._remove = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True) if out is None else None

    def close(self) -> None:
        """Removes a temporary folder. One that the caller named stays."""
        if self._remove is not None:
            self._remove()
