// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/os/lifetime.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace lifetime_test {

using ndsim::os::Lifetime;
using ndsim::os::Owned;

// Writes down that it was taken down; with `last_wish`, that one is adopted first.
struct Thing final : Owned {
    Thing(Lifetime& its_lifetime, std::vector<int>& its_log, int its_number)
        : lifetime(its_lifetime), log(its_log), number(its_number) {
        lifetime.adopt(*this);
    }
    void abandon() override {
        log.push_back(number);
        if (last_wish != nullptr) {
            lifetime.adopt(*last_wish);
        }
    }
    Lifetime& lifetime;
    std::vector<int>& log;
    const int number;
    Owned* last_wish = nullptr;
};

TEST_CASE("lifetime: the end takes down what is open, the youngest first") {
    Lifetime lifetime;
    std::vector<int> log;
    const Thing first(lifetime, log, 1);
    Thing second(lifetime, log, 2);
    const Thing third(lifetime, log, 3);
    lifetime.disown(second);
    CHECK(lifetime.has_open_objects());
    lifetime.take_down();
    CHECK(log == std::vector<int>{3, 1});
    CHECK_FALSE(lifetime.has_open_objects());
}

TEST_CASE("lifetime: what comes while the end takes things down goes, too") {
    Lifetime lifetime;
    std::vector<int> log;
    const Thing first(lifetime, log, 1);
    Thing second(lifetime, log, 2);
    Thing late(lifetime, log, 3);
    lifetime.disown(late);
    second.last_wish = &late;
    lifetime.take_down();
    CHECK(log == std::vector<int>{2, 3, 1});
}

TEST_CASE("lifetime: a program has ended once it has an exit code, even if things are open") {
    Lifetime lifetime;
    std::vector<int> log;
    const Thing open(lifetime, log, 1);
    CHECK_FALSE(lifetime.has_ended());
    lifetime.end(7);
    CHECK(lifetime.has_ended());
    CHECK(lifetime.exit_code() == 7);
    CHECK(lifetime.has_open_objects());
}

}  // namespace lifetime_test
