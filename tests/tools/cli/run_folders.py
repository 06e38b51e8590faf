# Run folders made by hand, for the tests of the commands that read them. Times are in nanoseconds.
# SPDX-License-Identifier: Apache-2.0
import json

ACCOUNTS = ("slot", "post", "doorbell", "arbitration", "wqe_cache", "wqe_fetch", "context", "fence", "read_limit", "tags",
            "credits", "payload_read", "tx", "wire", "switch", "pause", "rx_buffer", "rnr", "retransmit", "receive_wqe",
            "message", "dma_write", "ack_return", "cqe", "poll")
HEAD = ",".join(["request,qp,operation,status,bytes,silent,begin_ps,end_ps,total_ps",
                 *(f"{account}_ps" for account in ACCOUNTS), "label,path"])


def row(request, begin, path, operation="send", qp="0x11", status="success", size=0, silent=0, label=""):
    """A line of completions.csv, of a request whose stays are pairs of an account and its nanoseconds."""
    times = dict.fromkeys(ACCOUNTS, 0)
    for account, took in path:
        times[account] += took * 1000
    names = [account for account, _ in path]
    stays = [account if names.count(account) == 1 else f"{account}:{took * 1000}" for account, took in path]
    total = sum(times.values())
    cells = [request, qp, operation, status, size, silent, begin * 1000, begin * 1000 + total, total, *times.values(), label,
             " ".join(stays)]
    return ",".join(map(str, cells))


def ledger(host, operation, requests, **accounts):
    return {"host": host, "operation": operation, "requests": requests,
            "mean_total_ps": sum(accounts.values()) * 1000,
            "mean_accounts_ps": {account: took * 1000 for account, took in accounts.items()}}


def metric(value, unit="count"):
    return {"value": value, "unit": unit, "text": "is not read"}


def result(**changes):
    """A result.json with two hosts, each with a queue pair q0 that is the other's peer."""
    said = {"ndsim": "0.1.0", "outcome": "finished", "why": "", "started_ps": 0, "ended_ps": 10_000_000, "completions": 0,
            "metrics": {}, "pools": {}, "ledgers": [], "limits": [], "expectations": [],
            "queue_pairs": [{"name": "A.q0", "number": "0x11"}, {"name": "B.q0", "number": "0x12"}], "dead_connections": [],
            "statuses": {"all": 100, "failed": 0, "shown": []},
            "files": [],
            "scenario": {"file": "made.json", "about": "", "seed": 1, "overrides": [], "written": {"hosts": {}},
                         "parameters": {"hosts.A.preset": {"value": "B", "origin": "default"},
                                        "hosts.B.preset": {"value": "B", "origin": "default"},
                                        "hosts.A.qps.q0.connect": {"value": "B.q0", "origin": "file"}}}}
    said.update(changes)
    return said


def settings(**changes):
    """The "scenario" of a result with these parameters besides; "__" stands for a dot."""
    scenario = result()["scenario"]
    for path, value in changes.items():
        scenario["parameters"][path.replace("__", ".")] = {"value": value, "origin": "file"}
    return scenario


def write(folder, said, rows=()):
    folder.mkdir(parents=True, exist_ok=True)
    said = {**said, "completions": len(rows or ())}
    (folder / "result.json").write_text(json.dumps(said), encoding="utf-8")
    if rows is not None:
        (folder / "completions.csv").write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8")
