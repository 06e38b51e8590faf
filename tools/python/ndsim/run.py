# The outcome of ndsim run.
# SPDX-License-Identifier: Apache-2.0
"""One run: its figures, its ledgers, its requests."""
import csv
import sys
from typing import TYPE_CHECKING, Any

from .frames import frame_of
from .outcome import Outcome, unknown

if TYPE_CHECKING:
    import pandas


class Run(Outcome):
    """What came of a run. `result` is what result.json holds, and the folder, and what the kernel did.

    The exit code is 1 if an expectation is not met, or if an error ended a connection and no expectation asks for it.
    Figures are whole numbers of the smallest unit: ps, B, bps (bit/s), /s, ppm, mm, or a count.
    """

    @property
    def metrics(self) -> dict[str, int]:
        """All figures by name."""
        return {name: metric["value"] for name, metric in self.result["metrics"].items()}

    @property
    def units(self) -> dict[str, str]:
        """The unit of each figure by name: ps, B, bps, /s, ppm, mm or count."""
        return {name: metric["unit"] for name, metric in self.result["metrics"].items()}

    def __getitem__(self, metric: str) -> int:
        """One figure. KeyError if the run has none of that name; what its sample cannot support is not there."""
        metrics = self.result["metrics"]
        if metric not in metrics:
            raise unknown("metric", metric, metrics)
        value: int = metrics[metric]["value"]
        return value

    def ledger(self, host: str, operation: str) -> dict[str, int]:
        """Where the time of the mean request of this kind went: ps by account, such as {"post": 50000, ...}. The times
        add up to its `mean_total_ps` in `result["ledgers"]`. KeyError if the host made no such requests."""
        ledgers: dict[tuple[str, str], dict[str, int]]
        ledgers = {(each["host"], each["operation"]): each["mean_accounts_ps"] for each in self.result["ledgers"]}
        if (host, operation) not in ledgers:
            raise unknown("ledger", f"{host} {operation}", map(" ".join, ledgers))
        return ledgers[host, operation]

    def completions(self) -> list[dict[str, Any]]:
        """The requests whose end software knew, in the order in which they ended: a dictionary of the columns of
        completions.csv. `bytes` and the times, whose names end in `_ps`, are whole numbers, `silent` is a flag, the
        others are texts. FileNotFoundError if the scenario wants no such file, or the folder is gone."""
        with open(self.folder / "completions.csv", encoding="utf-8", newline="") as file:
            # The path of a request that waited a thousand times is longer than the module expects of a field.
            usual = csv.field_size_limit(sys.maxsize)
            try:
                return [{name: typed(name, text) for name, text in row.items()} for row in csv.DictReader(file)]
            finally:
                csv.field_size_limit(usual)

    def frame(self) -> "pandas.DataFrame":
        """completions() as a pandas frame."""
        return frame_of(self.completions())

    def __repr__(self) -> str:
        return f"<Run of {self.result['scenario']['file']}: {self.error or self.result['outcome']}>"


def typed(column: str, text: str) -> str | int | bool:
    """A cell of completions.csv as what it is."""
    if column == "silent":
        return text == "1"
    return int(text) if column == "bytes" or column.endswith("_ps") else text
