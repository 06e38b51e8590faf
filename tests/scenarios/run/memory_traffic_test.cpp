// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::memory_traffic_test {

// A drives B's memory. B's program is done long before A begins, 50 us after it.
ChildResult run_memory(const std::string& a, const std::string& b, const std::string& expect,
                       const std::vector<std::string>& overrides = {}) {
    ChildResult run = run_text(R"({
        "hosts": {
            "A": {"buffers": {"local": {"size": "12 KiB"}, "more": {"size": "12 KiB", "fill": "counter"}},
                  "memory": {"sink": {"kind": "fast_register", "pages": 3}}},
            "B": {"buffers": {"far": {"size": "12 KiB", "fill": "random"}, "into": {"size": "12 KiB"}},
                  "memory": {"w": {}, "open": {"kind": "fast_register", "pages": 3}}}
        },
        "programs": {"A": [)" + a + R"(], "B": [)" +
                                   b + R"({"sleep": "1 ns"}]},
        "expect": [)" + expect + "]}",
                               overrides);
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.unmet == "");
    return run;
}

// 10000 bytes at an MTU of 4096 are three response packets.
TEST_CASE("memory: a Read brings bytes of the peer", "[K145]") {
    const ChildResult run =
        run_memory(R"({"post": "read", "buffer": "local", "size": "10000 B", "from": "B.far", "as": "r"},
                                          {"poll": "q0.send"})",
                   "",
                   R"({"completion": "A.r", "status": "success"},
                                          {"memory": "A.local", "equals": "B.far", "size": "10000 B"})");
    CHECK(run.metric("A.nic.read_responses.packets") == 3);
    CHECK(run.metric("B.nic.read_responder.reads") == 1);
}

TEST_CASE("memory: a Bind opens a part of a buffer to the peer's Writes, and to nothing else", "[K132][K129]") {
    const ChildResult run = run_memory(
        R"({"sleep": "50 us"},
           {"post": "write", "buffer": "more", "offset": "4 KiB", "size": "4 KiB", "to": "B.w", "as": "w"},
           {"post": "read", "buffer": "local", "size": "64 B", "from": "B.w", "as": "r"},
           {"poll": "q0.send", "count": 2})",
        R"({"post": "bind", "memory": "w", "buffer": "into", "offset": "4 KiB", "size": "4 KiB",
            "allow": ["remote_write"], "as": "b"},
           {"poll": "q0.send"},)",
        R"({"completion": "B.b", "status": "success"},
           {"completion": "A.w", "status": "success"},
           {"completion": "A.r", "status": "remote_resources"},
           {"memory": "B.into", "equals": "A.more", "offset": "4 KiB", "size": "4 KiB"})");
    CHECK(run.metric("B.nic.local_operations.done") == 1);
}

TEST_CASE("memory: a Bind gives no byte beyond its range", "[K132]") {
    run_memory(
        R"({"sleep": "50 us"},
           {"post": "write", "buffer": "more", "size": "4097 B", "to": "B.w", "as": "w"},
           {"poll": "q0.send"})",
        R"({"post": "bind", "memory": "w", "buffer": "into", "size": "4 KiB", "allow": ["remote_write"]},
           {"poll": "q0.send"},)",
        R"({"completion": "A.w", "status": "remote_resources"})");
}

TEST_CASE("memory: a FastRegister opens pages to the peer's Reads", "[K126]") {
    run_memory(
        R"({"sleep": "50 us"},
           {"post": "read", "buffer": "local", "from": "B.open", "as": "r"},
           {"poll": "q0.send"})",
        R"({"post": "fast_register", "memory": "open", "buffer": "far", "allow": ["remote_read"], "as": "f"},
           {"poll": "q0.send"},)",
        R"({"completion": "B.f", "status": "success"},
           {"completion": "A.r", "status": "success"},
           {"memory": "A.local", "equals": "B.far"})");
}

TEST_CASE("memory: an Invalidate closes what a Bind has opened", "[K133]") {
    run_memory(
        R"({"sleep": "50 us"},
           {"post": "write", "buffer": "more", "size": "64 B", "to": "B.w", "as": "w"},
           {"poll": "q0.send"})",
        R"({"post": "bind", "memory": "w", "buffer": "into", "allow": ["remote_write"]},
           {"post": "invalidate", "memory": "w", "as": "i"},
           {"poll": "q0.send", "count": 2},)",
        R"({"completion": "B.i", "status": "success"},
           {"completion": "A.w", "status": "remote_resources"})");
}

// The same region twice as a sink: the second Read finds it closed unless the adapter cannot do that.
TEST_CASE("memory: a Read invalidates its sink if the adapter can", "[K140][K141]") {
    const std::string program =
        R"({"post": "fast_register", "memory": "sink", "buffer": "local", "allow": ["local_write"]},
           {"post": "read", "buffer": "sink", "size": "12 KiB", "from": "B.far", "flags": ["local_invalidate"], "as": "r"},
           {"poll": "q0.send", "count": 2},
           {"post": "read", "buffer": "sink", "size": "12 KiB", "from": "B.far", "as": "again"},
           {"poll": "q0.send"})";
    run_memory(program, "",
               R"({"completion": "A.r", "status": "success"},
                  {"completion": "A.again", "status": "access_violation"},
                  {"memory": "A.local", "equals": "B.far"})");
    run_memory(program, "",
               R"({"completion": "A.r", "status": "success"},
                  {"completion": "A.again", "status": "success"})",
               {"nic.read_local_invalidate=false"});
}

}  // namespace ndsim::test::memory_traffic_test
