// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::write_test {

// A writes into B, as `writes` says; then a Send. B has one receive for it. Set-up ends with both ready.
ChildResult run_writes(const std::string& writes, const std::string& expect,
                       const std::vector<std::string>& overrides = {}) {
    return finish_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 KiB", "fill": "counter"}}},
                  "B": {"buffers": {"rx": {"size": "64 KiB"}, "note": {"size": "8 B"}}}},
        "programs": {
            "A": [{"sleep": "20 us"}, )" +
                           writes + R"(,
                  {"post": "send", "buffer": "tx", "size": "8 B", "as": "told"}, {"poll": "q0.send", "count": 2}],
            "B": [{"post": "receive", "buffer": "note", "as": "note"}, {"poll": "q0.receive"}]},
        "expect": [)" + expect +
                           "]}",
                       overrides);
}

TEST_CASE("write: the data is there when a later Send is polled, and nobody else is told", "[K143][X53]") {
    // 64 KiB in 16 packets, then 8 bytes; the only completion at B is that of the Send's receive.
    const ChildResult run = run_writes(R"({"post": "write", "buffer": "tx", "to": "B.rx", "as": "w"})",
                                       R"({"completion": "A.w", "status": "success"},
                                          {"completion": "B.note", "status": "success", "bytes": 8},
                                          {"memory": "B.rx", "equals": "A.tx"})");
    CHECK(run.metric("B.nic.cq.cqes") == 1);
    CHECK(run.metric("B.nic.rq.taken") == 1);
    CHECK(run.metric("B.nic.responder.messages") == 2);
}

TEST_CASE("write: beyond the peer's buffer it is refused, and ends the connection", "[X26][X31]") {
    const std::string beyond =
        R"({"post": "write", "buffer": "tx", "size": "4 KiB", "to": "B.rx", "to_offset": "61 KiB", "as": "w"})";
    run_writes(beyond, R"({"completion": "A.w", "status": "remote_resources"},
                          {"completion": "A.told", "status": "cancelled"},
                          {"completion": "B.note", "status": "cancelled"})");
    run_writes(beyond, R"({"completion": "A.w", "status": "access_violation"},
                          {"completion": "A.told", "status": "cancelled"})",
               {"profile=infiniband"});
}

TEST_CASE("write: an empty one names no memory that is checked", "[K146]") {
    run_writes(R"({"post": "write", "to": "B.rx", "to_offset": "1 GiB", "as": "w"})",
               R"({"completion": "A.w", "status": "success"})");
}

TEST_CASE("write: inline data is legal", "[K100]") {
    const ChildResult run =
        run_writes(R"({"post": "write", "buffer": "tx", "size": "64 B", "to": "B.rx", "flags": ["inline"], "as": "w"})",
                   R"({"completion": "A.w", "status": "success"})");
    CHECK(run.metric("A.nic.dma.payload_bytes") == 8);  // the Send's; the write's bytes came with its WQE
}

TEST_CASE("write: a flag of Sends is refused, and nothing is posted", "[K32]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 B"}}}, "B": {"buffers": {"rx": {"size": "64 B"}}}},
        "programs": {"A": [{"post": "write", "buffer": "tx", "to": "B.rx", "flags": ["solicit"], "as": "w"}],
                     "B": [{"sleep": "1 us"}]},
        "expect": [{"completion": "A.w", "status": "invalid_parameter"}]})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.unmet == "");
    CHECK(run.metric("A.nic.wqe.messages") == 0);
}

}  // namespace ndsim::test::write_test
