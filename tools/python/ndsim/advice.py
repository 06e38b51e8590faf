# The outcome of ndsim advise.
# SPDX-License-Identifier: Apache-2.0
"""The smallest depths that meet a target, and the curves behind them."""
from typing import TYPE_CHECKING, Any

from .frames import frame_of
from .outcome import Outcome, unknown

if TYPE_CHECKING:
    import pandas


class Advice(Outcome):
    """What came of a search for depths. `result` is what advice.json holds, and the folder.

    The exit code is 1 if no depths are known to be enough. A depth has a name such as `A SQ` and counts entries, or
    steps of a size: the `step` of its entry in `result["dimensions"]`.
    """

    @property
    def depths(self) -> dict[str, int]:
        """What to build, by name; empty if no depths are known to be enough."""
        return dict(self._build("depths"))

    @property
    def overrides(self) -> dict[str, str]:
        """The depths to build, and all else that was set, for Scenario.override(); empty if no depths are known to be
        enough."""
        return dict(text.split("=", 1) for text in self._build("overrides"))

    @property
    def safe(self) -> dict[str, int | None]:
        """From which depth on no timing of software breaks anything; None if no number is safe."""
        return dict(self._build("safe"))

    @property
    def least_seen(self) -> dict[str, int | None]:
        """The smallest depth that held in every try; None if that was not looked for."""
        return dict(self._build("least_seen"))

    def curve(self, name: str) -> list[dict[str, Any]]:
        """What was reached with each depth that was tried, everything else generous: dictionaries with `depth`,
        `verdict` (met, missed or open), `reached_ppm` (of the target), `goodput_bps`, `mean_latency_ps`, `found`,
        `why`, `bound_by` and others. KeyError if that depth was not searched."""
        curves = {dimension["name"]: dimension["curve"] for dimension in self.result["dimensions"]}
        if name not in curves:
            raise unknown("depth", name, curves)
        return list(curves[name])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The steps of all curves: those of curve(), with the name of the depth as `dimension` before them."""
        return [{"dimension": dimension["name"], **step}
                for dimension in self.result["dimensions"] for step in dimension["curve"]]

    def frame(self) -> "pandas.DataFrame":
        """The rows as a pandas frame."""
        return frame_of(self.rows)

    def _build(self, key: str) -> dict[str, Any]:
        return (self.result["build"] or {}).get(key, {})

    def __repr__(self) -> str:
        return f"<Advice for {self.result['file']}: {self.error or self.depths}>"
