# Tables for pandas, where it is installed.
# SPDX-License-Identifier: Apache-2.0
"""Makes pandas frames of rows; nothing else in the package needs pandas."""
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


def frame_of(rows: list[dict[str, Any]]) -> "pandas.DataFrame":
    """A frame with a row for each dictionary and a column for each key. ImportError where pandas is not installed."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("frame() needs pandas, such as Debian's python3-pandas; the same rows are to be had as "
                          "dictionaries") from error
    return pandas.DataFrame(rows)
