// SPDX-License-Identifier: Apache-2.0
#include "sim/base/lru_cache.hpp"

#include <algorithm>
#include <deque>
#include <random>

#include "tests/support/catch.hpp"

namespace ndsim::test::lru_cache_test {

TEST_CASE("LRU cache: what was not used for longest is taken out first") {
    LruCache<int> cache;
    cache.insert(7, 70);
    cache.insert(8, 80);
    cache.insert(9, 90);
    CHECK(*cache.use(7) == 70);
    CHECK(cache.use(10) == nullptr);
    CHECK(*cache.look(8) == 80);  // to look at it is no use
    const auto oldest = cache.take_oldest();
    CHECK(oldest.key == 8);
    CHECK(oldest.value == 80);
    CHECK(cache.take_oldest().key == 9);
    CHECK(cache.take_oldest().key == 7);
    CHECK(cache.size() == 0);
}

TEST_CASE("LRU cache: a value can be changed where it is, and a key forgotten") {
    LruCache<int> cache;
    cache.insert(1, 10) = 11;
    *cache.use(1) += 1;
    CHECK(*cache.look(1) == 12);
    cache.erase(1);
    cache.erase(2);
    CHECK(cache.look(1) == nullptr);
    cache.insert(1, 5);
    CHECK(*cache.use(1) == 5);
}

// Against a list that is searched from end to end. Few keys, so that they collide, are forgotten and come again.
TEST_CASE("LRU cache: does what a plain list does") {
    LruCache<std::uint64_t> cache;
    std::deque<std::pair<std::uint64_t, std::uint64_t>> list;  // used last comes first
    std::mt19937_64 random(3);                                 // NOLINT(cert-msc51-cpp): the same on every run
    for (std::uint64_t step = 0; step < 100'000; ++step) {
        const std::uint64_t key = random() % 97 * 4096;
        const auto found = std::find_if(list.begin(), list.end(), [key](const auto& e) { return e.first == key; });
        switch (random() % 4) {
            case 0:
                if (found == list.end()) {
                    cache.insert(key, step);
                    list.emplace_front(key, step);
                }
                break;
            case 1:
                cache.erase(key);
                if (found != list.end()) {
                    list.erase(found);
                }
                break;
            case 2:
                if (list.size() > 50) {
                    const auto oldest = cache.take_oldest();
                    REQUIRE(oldest.key == list.back().first);
                    REQUIRE(oldest.value == list.back().second);
                    list.pop_back();
                }
                break;
            default: {
                const std::uint64_t* const value = cache.use(key);
                REQUIRE((value != nullptr) == (found != list.end()));
                if (found != list.end()) {
                    REQUIRE(*value == found->second);
                    const auto entry = *found;
                    list.erase(found);
                    list.push_front(entry);
                }
            }
        }
        REQUIRE(cache.size() == list.size());
    }
}

}  // namespace ndsim::test::lru_cache_test
