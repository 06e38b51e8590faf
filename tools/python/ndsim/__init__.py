# The package: what scripts use.
# SPDX-License-Identifier: Apache-2.0
"""ndsim from Python: scenarios, runs, sweeps and advice, over what the ndsim command prints and writes.

    import ndsim
    run = ndsim.load("quickstart").override({"hosts.A.nic.sq.depth": 4}).run()
    print(run["ledger.A.send.mean"], "ps")

A run is a process of the command. docs/python.md shows more.
"""
from .advice import Advice
from .command import find_command
from .errors import CommandNotFound, Error, Failed, Problem, ScenarioError
from .questions import Check, check, metrics, preset, presets, version
from .run import Run
from .scenario import Scenario, load
from .sweep import Sweep

__all__ = ["Advice", "Check", "CommandNotFound", "Error", "Failed", "Problem", "Run", "Scenario", "ScenarioError",
           "Sweep", "check", "find_command", "load", "metrics", "preset", "presets", "version"]
