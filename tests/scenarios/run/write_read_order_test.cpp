// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace write_read_order_test {

using namespace ndsim::test;

TEST_CASE("order: a Read finds what a Write before it brought, however far memory is behind the wire", "[X47]") {
    // With 8 or 4 lanes B's link takes 59 or 29 Gbps, so most of the Write still waits in the NIC when the Read of its
    // last page comes.
    for (const char* const width : {"16", "8", "4"}) {
        INFO(width << " lanes");
        const ChildResult run = finish_text(
            R"({
  "hosts": {
    "A": { "buffers": { "tx": { "size": "256 KiB", "fill": "random" }, "sink": { "size": "256 KiB" } } },
    "B": { "buffers": { "rx": { "size": "256 KiB" } } }
  },
  "programs": {
    "A": [
      { "post": "write", "buffer": "tx", "to": "B.rx", "as": "write" },
      { "post": "read", "buffer": "sink", "offset": "252 KiB", "size": "4 KiB",
        "from": "B.rx", "from_offset": "252 KiB", "as": "read" },
      { "poll": "q0.send", "count": 2 }
    ]
  },
  "expect": [
    { "order": ["A.write", "A.read"] },
    { "memory": "A.sink", "equals": "A.tx", "offset": "252 KiB", "size": "4 KiB" }
  ]
})",
            {std::string("hosts.B.pcie.width=") + width});
        CHECK(run.ended);
    }
}

// The response to a Read acknowledges what was sent before it. 64 KiB take 70 us through one lane of PCIe at B, so A's
// Send cannot be over earlier because a Read follows it.
TEST_CASE("order: a Read of no bytes does not acknowledge a Send that is not in memory", "[X17]") {
    const auto run = [](const std::string& read) {
        return finish_text(R"({
            "hosts": {"A": {"buffers": {"tx": {"size": "64 KiB"}}},
                      "B": {"pcie": {"width": 1}, "buffers": {"rx": {"size": "64 KiB"}}}},
            "programs": {"A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx", "as": "s"})" +
                           read + R"(, {"poll": "q0.send"}],
                         "B": [{"post": "receive", "buffer": "rx"}, {"poll": "q0.receive"}]},
            "expect": [{"completion": "A.s", "status": "success"}]})");
    };
    const std::uint64_t alone = run("").metric("ledger.A.send.mean");
    CHECK(alone > 60'000'000);
    const ChildResult before_read = run(R"(, {"post": "read", "buffer": "tx", "size": "0 B", "from": "B.rx"},
                                            {"poll": "q0.send"})");
    CHECK(before_read.metric("ledger.A.send.mean") >= alone);
}

}  // namespace write_read_order_test
