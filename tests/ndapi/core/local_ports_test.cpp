// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/local_ports.hpp"

#include <set>

#include "tests/support/catch.hpp"

namespace local_ports_test {

using ndsim::core::LocalPorts;

TEST_CASE("ports: one that is named is taken once", "[K182]") {
    LocalPorts ports;
    std::uint16_t port = 4000;
    CHECK(ports.take(port) == STATUS_SUCCESS);
    CHECK(ports.take(port) == STATUS_SHARING_VIOLATION);
    ports.give(port);
    CHECK(ports.take(port) == STATUS_SUCCESS);
    CHECK(port == 4000);
}

TEST_CASE("ports: a shared one is free when its last user is gone", "[K188]") {
    LocalPorts ports;
    std::uint16_t port = 4000;
    REQUIRE(ports.take(port) == STATUS_SUCCESS);
    ports.share(port);
    ports.share(port);
    ports.give(port);
    ports.give(port);
    CHECK(ports.take(port) == STATUS_SHARING_VIOLATION);
    ports.give(port);
    CHECK(ports.take(port) == STATUS_SUCCESS);
}

TEST_CASE("ports: picked ones are ephemeral, differ, and run out", "[K181]") {
    LocalPorts ports;
    std::uint16_t inside = 50000;
    REQUIRE(ports.take(inside) == STATUS_SUCCESS);  // so that one of the range is gone
    std::set<std::uint16_t> picked;
    for (int i = 0; i < 16384 - 1; ++i) {  // 49152 to 65535, without 50000
        std::uint16_t port = 0;
        REQUIRE(ports.take(port) == STATUS_SUCCESS);
        REQUIRE(port >= 49152);
        picked.insert(port);
    }
    CHECK(picked.size() == 16383);
    CHECK_FALSE(picked.contains(50000));
    std::uint16_t port = 0;
    CHECK(ports.take(port) == STATUS_TOO_MANY_ADDRESSES);
    ports.give(61234);
    CHECK(ports.take(port) == STATUS_SUCCESS);
    CHECK(port == 61234);
}

}  // namespace local_ports_test
