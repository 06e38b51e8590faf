# SPDX-License-Identifier: Apache-2.0
"""What tools/validate prints and writes."""
import json

from validation import plot, units


def unit_of(point):
    text = next(point[key] for key in ("published", "measured", "at_least", "at_most", "unit") if key in point)
    return text.partition(" ")[2]


def expected(point):
    if "published" in point:
        return f"{point['published']} +- {point['tolerance']}"
    if "measured" in point:
        return f"{point['measured']}, not fitted"
    return " .. ".join(point[key] for key in ("at_least", "at_most") if key in point)


def cells(point):
    error = f"{float(point['error']):+.1f} %" if "error" in point else ""
    return [point["name"], expected(point), units.shown(point["simulated"], unit_of(point)), error,
            {True: "yes", False: "no" if "missed" in point else "NO", None: ""}[point["met"]]]


def as_text(case):
    rows = [["point", "published", "simulated", "error", "met"]] + [cells(point) for point in case["points"]]
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return f"{case['name']}: {case['title']} ({case['kind']})\n" + "\n".join("  " + line for line in lines) + "\n\n"


def as_json(case):
    return "".join(json.dumps({"case": case["name"], "kind": case["kind"], "point": point["name"],
                               "published": expected(point), "simulated": float(point["simulated"]),
                               "error_percent": float(point["error"]) if "error" in point else None,
                               "met": point["met"]}) + "\n" for point in case["points"])


def section(case):
    lines = [f"## {case['name']}: {case['title']}", "", f"{case['source']}. **{case['kind'].capitalize()}**"
             + (f": {case['because']}." if "because" in case else "."), ""]
    if "note" in case:
        lines += [case["note"], ""]
    lines += ["| point | published | simulated | error | met |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(cells(point)) + " |" for point in case["points"]]
    lines += [""]
    for curve in case.get("plots", []):
        lines += [f"![{curve['title']}](validation/{plot.name(case, curve)})", ""]
    return lines


def differences(devices, presets):
    lines = ["## Devices that are no preset", "",
             "Parameters of each in which it differs from the nearest preset.", "",
             "| device | is | parameter | preset | here |", "|---|---|---|---|---|"]
    for name in sorted(devices):
        its = devices[name]
        for path, value in its["set"].items():
            was = presets[its["preset"]].get(path, "")
            lines.append(f"| `{name}` | {its['about']} | `{path}` | {its['preset']}: {was} | {value} |")
    return lines + [""]


HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by tools/validate. -->
# Validation

Published measurements, and what ndsim says of the same. *Validated* means that the parameters come from elsewhere: from
a preset as it is, or from the sizes of the device. *Calibrated* means that a parameter was set so that the figure comes
out, which shows only that the model can say it; *assumed*, that this parameter caps the figure itself, in place of a
cause that the model does not have. Scenarios are in `scenarios/validation`; `tools/validate` runs them.
"""


def files(cases, devices, presets):
    """Texts by their path below docs."""
    lines = [HEAD]
    for case in cases:
        lines += section(case)
    texts = {"validation.md": "\n".join(lines + differences(devices, presets)).rstrip() + "\n"}
    for case in cases:
        for curve in case.get("plots", []):
            texts[f"validation/{plot.name(case, curve)}"] = plot.svg(case, curve)
    return texts
