# SPDX-License-Identifier: Apache-2.0
"""Curves as SVG: published points as rings, simulated ones as a line."""
import html
import math

from validation import units

KEYS = ("published", "measured")  # with a tolerance, and without
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 50, 40, 20


def name(case, curve):
    return f"{case['name'].lower()}-{curve['file']}.svg"


def ticks(low, high):
    step = 10 ** math.floor(math.log10(high - low))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= 8:
            step *= factor
            break
    return [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def svg(case, curve):
    unit = curve["unit"]
    points = [(point["x"], point) for point in case["points"] if point.get("curve") in curve["curves"]]
    xs = sorted({x for x, _ in points})
    amount = lambda value: float(value / units.UNITS[unit])  # noqa: E731
    values = [amount(p["simulated"]) for _, p in points]
    values += [amount(units.number(p[key])) for _, p in points for key in KEYS if key in p]
    top = max(values) * 1.05
    across = lambda x: LEFT + (WIDTH - LEFT - RIGHT) * (  # noqa: E731
        math.log2(x / xs[0]) / math.log2(xs[-1] / xs[0]) if len(xs) > 1 else 0.5)
    up = lambda y: HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * y / top  # noqa: E731
    height = HEIGHT + 16 * len(curve["curves"]) + 6  # the legend stands below
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" '
           'font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
           f'<text x="{LEFT}" y="20" font-size="14">{html.escape(curve["title"])}</text>']
    for y in ticks(0, top):
        out.append(f'<line x1="{LEFT}" y1="{up(y):.1f}" x2="{WIDTH - RIGHT}" y2="{up(y):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{up(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in xs:
        if math.log2(x) == int(math.log2(x)):
            out.append(f'<text x="{across(x):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x}</text>')
    out.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">{html.escape(curve["x"])}</text>')
    out.append(f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2})">'
               f'{html.escape(unit)}</text>')
    colours = ["#1f5fa8", "#b5421f", "#2f7d32", "#7b3fa0"]
    for which, label in enumerate(curve["curves"]):
        mine = sorted((x, p) for x, p in points if p["curve"] == label)
        colour = colours[which % len(colours)]
        line = " ".join(f"{across(x):.1f},{up(amount(p['simulated'])):.1f}" for x, p in mine)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for x, p in mine:
            for key in (key for key in KEYS if key in p):
                y = up(amount(units.number(p[key])))
                out.append(f'<circle cx="{across(x):.1f}" cy="{y:.1f}" r="4" fill="none" stroke="{colour}"/>')
        out.append(f'<text x="{LEFT}" y="{HEIGHT + 8 + 16 * which}" fill="{colour}">{html.escape(label)}: '
                   'line simulated, rings published</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
