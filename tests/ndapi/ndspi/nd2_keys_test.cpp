// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_keys_test {

// Both hosts register one buffer, as their first region. Memory and numbers of one host mean nothing at the other.
TEST_CASE("nd2: a token is good at its own host only") {
    constexpr ULONG kAll = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE;
    Endings with_own;
    run_nd2_pair({.rights = kAll,
                  .program =
                      [&](Nd2Party& a, const Nd2Place& at_b) {
                          expect(at_b.token != a.place().token, "other numbers");
                          expect(a.write(64, {at_b.address, a.place().token}, 0, context(1)) == ND_SUCCESS, "a Write");
                          with_own = next(a);
                      }},
                 {.rights = kAll});
    CHECK(with_own == Endings{{kWrite, ND_REMOTE_ERROR, 1}});
}

}  // namespace ndsim::test::nd2_keys_test
