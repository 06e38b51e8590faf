# SPDX-License-Identifier: Apache-2.0
"""Numbers with units, exactly: times in picoseconds, rates in bit/s."""
import fractions

UNITS = {
    "": 1, "%": 1, "x": 1,
    "ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9,
    "Gbps": 10**9, "M/s": 10**6, "B": 1, "KiB": 1024, "MiB": 1024**2,
}


def number(text):
    """The value of "0.93 us" or "8 %"."""
    amount, _, unit = text.partition(" ")
    return fractions.Fraction(amount) * UNITS[unit]


def shown(value, unit):
    """A value in a unit, with four significant digits."""
    scaled = value / UNITS[unit]
    digits = 4 if scaled == 0 else max(0, 4 - len(str(int(abs(scaled)))))
    return f"{float(scaled):.{digits}f} {unit}".rstrip()
