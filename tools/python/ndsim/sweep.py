# The outcome of ndsim sweep.
# SPDX-License-Identifier: Apache-2.0
"""Many runs: a row for each point, columns of any figure, questions in SQL."""
import contextlib
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .frames import frame_of
from .outcome import Outcome, unknown
from .values import value_of

if TYPE_CHECKING:
    import pandas


class Sweep(Outcome):
    """What came of a sweep. The exit code is 1 if a point failed or did not meet its expectations; which, the rows say.

    Figures are whole numbers of the smallest unit: ps, B, bps (bit/s), /s, ppm, mm, or a count.
    """

    @property
    def paths(self) -> list[str]:
        """What was varied, the last one fastest."""
        return list(self.result["paths"])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each point, all with the same keys.

        They are `point` (from 0), each path that was varied, `exit` (the exit code that the point's run would have),
        `outcome`, `why`, `bound_by` (a list), the figures of generators and programs, and those that were asked for. A
        value that was varied is a whole number, a flag, or a text with its unit. A figure that a point does not have is
        None.
        """
        points = self.result["points"]
        names = self.units
        rows = []
        for number, point in enumerate(points):
            row: dict[str, Any] = {"point": number}
            row.update(zip(self.paths, map(value_of, point["settings"]), strict=True))
            row.update({key: point[key] for key in ("exit", "outcome", "why", "bound_by")})
            row.update({name: point["metrics"].get(name, {}).get("value") for name in names})
            rows.append(row)
        return rows

    @property
    def units(self) -> dict[str, str]:
        """The units of the figures in the rows, by name."""
        return {name: metric["unit"]
                for point in self.result["points"] for name, metric in point["metrics"].items()}

    def __getitem__(self, name: str) -> list[Any]:
        """A column of the rows, or a figure that is not among them, from sweep.sqlite. KeyError if no point has it."""
        rows = self.rows
        if rows and name in rows[0]:
            return [row[name] for row in rows]
        values = {row["point"]: row["value"] for row in
                  self.query("select point, value from metrics where name = ?", (name,))}
        if not values:
            names = [row["name"] for row in self.query("select distinct name from metrics")]
            raise unknown("metric", name, [*self.paths, *names])
        return [values.get(point) for point in range(len(rows))]

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """The rows that a question in SQL has as its answer, as dictionaries. The tables are points, settings, metrics,
        limits and ledgers, joined by point. sqlite3.Error if it is no question to these."""
        place = (self.folder / "sweep.sqlite").as_uri() + "?mode=ro"
        with contextlib.closing(sqlite3.connect(place, uri=True)) as tables:
            tables.row_factory = sqlite3.Row
            return [dict(row) for row in tables.execute(sql, parameters)]

    def frame(self) -> "pandas.DataFrame":
        """The rows as a pandas frame."""
        return frame_of(self.rows)

    def __len__(self) -> int:
        return len(self.result["points"])

    def __repr__(self) -> str:
        return f"<Sweep of {self.result['file']}: {self.error or f'{len(self)} points'}>"
