// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/queue_pair_choice.hpp"

#include <algorithm>
#include <cstdlib>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::queue_pair_choice_test {

Traffic weighted(const std::vector<std::uint32_t>& weights) {
    Traffic traffic;
    traffic.name = "t";
    traffic.queue_pairs = static_cast<std::uint32_t>(weights.size());
    traffic.choose = QueuePairOrder::weighted;
    traffic.weights = weights;
    return traffic;
}

std::vector<std::size_t> choices(const Traffic& traffic, std::uint64_t seed, std::size_t count) {
    QueuePairChoice choice(traffic, seed);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count; ++i) {
        chosen.push_back(choice.next());
        choice.taken();
    }
    return chosen;
}

TEST_CASE("choose weighted: each queue pair has its weight's share of the messages") {
    // 3 of 8, 1 of 8, 4 of 8 of 40000 messages. A share p of n is off by sqrt(n p (1 - p)) usually, 97, 66 and 100;
    // four times that is as good as never, whatever the seed.
    const std::vector<std::size_t> chosen = choices(weighted({3, 1, 4}), 1, 40'000);
    CHECK(std::abs(std::ranges::count(chosen, 0U) - 15'000) < 4 * 97);
    CHECK(std::abs(std::ranges::count(chosen, 1U) - 5'000) < 4 * 67);
    CHECK(std::abs(std::ranges::count(chosen, 2U) - 20'000) < 4 * 100);
}

TEST_CASE("choose weighted: of ten thousand queue pairs the largest sum of weights is no limit") {
    // 10000 times 1000000 are more than 32 bits hold. The half with the larger numbers has half of the messages.
    const Traffic traffic = weighted(std::vector<std::uint32_t>(10'000, Traffic::kLargestWeight));
    const std::vector<std::size_t> chosen = choices(traffic, 1, 10'000);
    CHECK(std::abs(std::ranges::count_if(chosen, [](std::size_t qp) { return qp >= 5'000; }) - 5'000) < 4 * 50);
}

TEST_CASE("choose weighted: a seed gives the same order again, another one another order") {
    const Traffic traffic = weighted({3, 1, 4});
    CHECK(choices(traffic, 7, 1'000) == choices(traffic, 7, 1'000));
    CHECK(choices(traffic, 7, 1'000) != choices(traffic, 8, 1'000));
}

TEST_CASE("choose weighted: a generator posts by its weights") {
    // One message at a time, which all take equally long: the queue pair that gets 3 of 4 messages is busy 3 of 4 of
    // the time. Of 3600 messages that are measured its share is off by 0.7 % usually.
    const ChildResult run =
        run_traffic(R"("operation": "write", "size": "64 B", "count": 4000, "window": 1, "queue_pairs": 2,
                       "choose": "weighted", "weights": [3, 1])");
    const auto first = static_cast<double>(run.metric("A.qps.q0.sq.mean_milli"));
    const auto second = static_cast<double>(run.metric("A.qps.q0_1.sq.mean_milli"));
    CHECK(first / (first + second) == Catch::Approx(0.75).margin(4 * 0.0072 + 0.001));
}

}  // namespace ndsim::test::queue_pair_choice_test
