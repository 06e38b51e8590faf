// SPDX-License-Identifier: Apache-2.0
#include "sim/base/payload_pool.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::payload_pool_test {

TEST_CASE("payload pool: a buffer is free when the last of its holders has given it back") {
    PayloadPool pool;
    const PayloadRef buffer = pool.take_for_message();
    CHECK(pool.has_bytes(buffer));
    CHECK(pool.has_bytes(pool.data(buffer)));
    CHECK(pool.share(buffer) == buffer);
    pool.give(buffer);
    CHECK(pool.in_use() == 1);
    pool.give(buffer);
    CHECK(pool.in_use() == 0);
    CHECK(pool.take() == buffer);
}

TEST_CASE("payload pool: without bytes all messages have one buffer, which is not counted") {
    PayloadPool pool(PayloadMode::timing);
    const PayloadRef one = pool.take_for_message();
    CHECK(one == pool.take_for_message());
    CHECK_FALSE(pool.has_bytes(one));
    CHECK_FALSE(pool.has_bytes(pool.data(one)));
    CHECK_FALSE(pool.has_bytes(pool.data(one) + PayloadPool::kBufferSize - 1));
    CHECK(pool.in_use() == 0);
    pool.give(pool.share(one));
    pool.give(one);
    pool.give(one);
    CHECK(pool.in_use() == 0);

    const PayloadRef other = pool.take();  // a WQE or CQE has bytes
    CHECK(other != one);
    CHECK(pool.has_bytes(other));
    CHECK(pool.in_use() == 1);
    CHECK(pool.data(one)[0] == std::byte{0});
}

}  // namespace ndsim::test::payload_pool_test
