// SPDX-License-Identifier: Apache-2.0
#include "models/wire/ack_coalescer.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::ack_coalescer_test {

TEST_CASE("ack queue: an acknowledgement that waits stands for every later one of its queue pair") {
    const QpNum first{0x11};
    const QpNum second{0x12};
    AckCoalescer queue;
    CHECK(queue.empty());
    CHECK(queue.push(second));
    CHECK(queue.push(first));
    CHECK_FALSE(queue.push(second));
    CHECK(queue.merged() == 1);

    // In the order of the first requests; after its turn a queue pair stands in line again.
    CHECK(queue.pop() == second);
    CHECK(queue.push(second));
    CHECK(queue.pop() == first);
    CHECK(queue.pop() == second);
    CHECK(queue.empty());
    CHECK(queue.merged() == 1);
}

}  // namespace ndsim::test::ack_coalescer_test
