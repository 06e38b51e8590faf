// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::memory_test {

// A posts, and nothing of it reaches the NIC: what is not refused is deferred.
void run_posts(const std::string& posts, const std::string& expect) {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "16 KiB"}},
                        "memory": {"w": {}, "local": {"kind": "fast_register", "pages": 2, "remote_access": false},
                                   "open": {"kind": "fast_register", "pages": 3}}},
                  "B": {}},
        "programs": {"A": [)" + posts +
                                     R"(], "B": [{"sleep": "1 us"}]},
        "expect": [)" + expect + "]}");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.unmet == "");
    CHECK(run.metric("A.nic.wqe.messages") == 0);
}

TEST_CASE("memory: posts of a program that the interface refuses", "[K123][K125][K32]") {
    run_posts(R"({"post": "bind", "memory": "w", "buffer": "tx", "as": "no_right"},
                 {"post": "bind", "memory": "w", "buffer": "tx", "allow": ["remote_read"], "flags": ["inline"], "as": "flag"},
                 {"post": "fast_register", "memory": "local", "buffer": "tx", "size": "8 KiB",
                  "allow": ["remote_read"], "as": "peers"},
                 {"post": "fast_register", "memory": "local", "buffer": "tx", "size": "8193 B", "as": "pages"},
                 {"post": "fast_register", "memory": "open", "buffer": "tx", "offset": "1 B", "size": "12 KiB",
                  "as": "offset"})",
              R"({"completion": "A.no_right", "status": "invalid_parameter"},
                 {"completion": "A.flag", "status": "invalid_parameter"},
                 {"completion": "A.peers", "status": "access_violation"},
                 {"completion": "A.pages", "status": "invalid_parameter"},
                 {"completion": "A.offset", "status": "invalid_parameter"},
                 {"metric": "programs.A.refused", "at_least": 5, "at_most": 5})");
}

TEST_CASE("memory: posts of a program that are in order", "[K37]") {
    run_posts(
        R"({"post": "bind", "memory": "w", "buffer": "tx", "offset": "100 B", "allow": ["remote_read", "remote_write"],
                  "flags": ["defer", "read_fence"]},
                 {"post": "fast_register", "memory": "local", "buffer": "tx", "offset": "4 KiB", "size": "8 KiB",
                  "allow": ["local_write"], "flags": ["defer"]},
                 {"post": "fast_register", "memory": "open", "buffer": "tx", "offset": "1 B", "size": "12287 B",
                  "allow": ["remote_write"], "flags": ["defer"]},
                 {"post": "invalidate", "memory": "w", "flags": ["defer", "silent_success"]},
                 {"post": "send", "buffer": "open", "size": "8 KiB", "flags": ["defer"]})",
        R"({"metric": "programs.A.refused", "at_least": 0, "at_most": 0})");
}

}  // namespace ndsim::test::memory_test
