// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

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

}  // namespace write_read_order_test
