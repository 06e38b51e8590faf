// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/rng.hpp"
#include "tests/scenarios/run/depth.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::depth_test {

const std::vector<Ladder>& ladders() {
    static const std::vector<Ladder> all{
        {"window", {"1", "2", "3", "4", "6", "7", "8", "9", "10", "12", "16", "24", "32", "64", "128"}},
        {"queue_pairs", {"1", "2", "3", "4", "6", "8", "12", "16"}},
        {"nic.sq.depth", {"1", "2", "3", "4", "6", "8", "10", "12", "16", "24", "32", "64", "128"}},
        {"nic.rq.depth", {"1", "2", "3", "4", "6", "8", "12", "16", "24", "32", "64", "512"}},
        {"nic.cq.depth", {"129", "160", "192", "256", "512", "1024"}},
        {"nic.sq_in_flight", {"1", "2", "3", "4", "6", "8", "12", "16", "32", "128"}},
        {"nic.wqe_cache", {"32", "40", "48", "64", "96", "128", "2048"}},
        {"nic.wqe_fetch_batch", {"1", "2", "3", "4", "6", "8", "16", "32"}},
        {"nic.rq_prefetch", {"1", "2", "3", "4", "6", "8", "12", "16", "32"}},
        {"nic.rq_fetch_batch", {"1", "2", "3", "4", "6", "8", "16", "32"}},
        {"nic.rq_park", {"0", "1", "2", "4", "8"}},
        {"nic.doorbell_fifo", {"1", "2", "3", "4", "6", "8", "16", "64"}},
        {"nic.psn_window", {"16", "24", "32", "48", "64", "128", "1024"}},
        {"nic.tx_fifo", {"8 KiB", "12 KiB", "16 KiB", "24 KiB", "32 KiB", "48 KiB", "64 KiB"}},
        {"nic.rx_buffer", {"96 KiB", "112 KiB", "128 KiB", "192 KiB", "256 KiB", "512 KiB"}},
        {"nic.read_buffer", {"16 KiB", "24 KiB", "32 KiB", "48 KiB", "64 KiB", "128 KiB", "512 KiB"}},
        {"nic.retransmit_buffer", {"0 B", "64 KiB", "256 KiB", "1 MiB"}},
        {"nic.qp_context_entries", {"1", "2", "3", "4", "6", "8", "12", "16", "24"}},
        {"nic.qp_context_fetches", {"1", "2", "3", "4", "8", "16"}},
        {"nic.mtt_entries", {"1", "2", "4", "8", "16", "32", "128", "2048"}},
        {"nic.mtt_fetches", {"1", "2", "4", "8", "16"}},
        {"nic.dma_reads_in_flight", {"6", "8", "10", "12", "16", "24", "32", "64", "128"}},
        {"nic.dma_writes_in_flight", {"1", "2", "3", "4", "6", "8", "16", "64"}},
        {"pcie.tags", {"4", "6", "8", "10", "12", "16", "24", "32", "64", "256"}},
        {"pcie.posted_headers", {"36", "40", "48", "64", "128", "256"}},
        {"pcie.posted_data", {"300", "350", "400", "500", "700", "2048"}},
        {"pcie.nonposted_headers", {"34", "36", "40", "48", "64", "128"}},
        {"pcie.bar_posted_headers", {"4", "6", "8", "12", "16", "32", "64"}},
        {"cpu.store_buffer", {"1", "2", "3", "4", "8", "16", "32", "56"}},
    };
    return all;
}

template <class T>
const T& one_of(Rng& random, const std::vector<T>& all) {
    return all[random.between(0, all.size() - 1)];
}

Load random_load(Rng& random, std::uint64_t messages, const Ladder& ladder) {
    const std::vector<std::uint64_t> sizes{8, 64, 200, 256, 1024, 2048, 4096, 8192, 16384, 65536};
    const std::string operation = one_of<std::string>(random, {"send", "write", "read"});
    Load load;
    load.generators = one_of<std::uint64_t>(random, {1, 1, 2, 4});
    load.is_send = operation == "send";
    const std::uint64_t bytes = one_of(random, sizes);
    const std::string preset = one_of<std::string>(random, {"A", "B", "C", "D"});
    load.hosts = hosts_of(preset);
    load.messages = messages;
    load.window = one_of<std::uint64_t>(random, {8, 16, 32, 64, 128});
    load.members = fmt::format(R"("operation": "{}", "size": "{} B", "window": {}, "count": {})", operation, bytes,
                               load.window, messages);
    if (operation != "read" && bytes <= 64 && random.between(0, 2) == 0) {
        load.members += R"(, "inline": true)";
    }
    const std::uint64_t queue_pairs = one_of<std::uint64_t>(random, {1, 1, 2, 4, 8, 16});
    if (!load.is_send && queue_pairs > 1) {
        load.members += fmt::format(R"(, "queue_pairs": {}, "choose": "round_robin")", queue_pairs);
    } else if (ladder.path != "window" && ladder.path != "nic.sq.depth" && random.between(0, 3) == 0) {
        // Those two have to hold what one completion is for.
        load.members += R"(, "signal_every": 4)";
    }
    return load;
}

// Each message costs software the same: it pushes none, and tells the NIC of each poll.
const std::vector<std::string> kEqualCosts{"nic.wqe_push_max=0", "nic.cq_update_every=1"};

std::vector<std::string> larger_window(const Load& load) {
    return for_all(load, "window", std::to_string(load.window + (load.window + 3) / 4));
}

// The known causes of a fall, see docs/model/README.md, each with an experiment that takes it away.
bool has_known_cause(const Load& load, const Ladder& ladder, const std::string& from, const std::string& to,
                     const Rates& rates) {
    if (fall(load, ladder.path, from, to, for_all(load, "count", std::to_string(10 * load.messages))) <= kSmallFall) {
        return true;  // what is under way at the ends of a short run
    }
    if (rates.software_binds && fall(load, ladder.path, from, to, kEqualCosts) <= kSmallFall) {
        return true;
    }
    return ladder.path != "window" && fall(load, ladder.path, from, to, larger_window(load)) <= kSmallFall;
}

void check_ladder(std::uint64_t number, std::uint64_t messages) {
    Rng random(number, "depth");
    const Ladder& ladder = one_of(random, ladders());
    const Load load = random_load(random, messages, ladder);
    if (load.is_send && ladder.path == "queue_pairs") {  // a Send uses one
        return;
    }
    double best = 0;
    std::string best_value;
    for (const std::string& value : ladder.values) {
        const Rates rates = rates_of(load, ladder.path, value);
        INFO("ladder " << number << ": " << ladder.path << " " << best_value << " gives " << best << ", " << value
                       << " gives " << rates.all << ": " << load.text());
        CHECK((rates.all >= (1 - kSmallFall) * best || has_known_cause(load, ladder, best_value, value, rates)));
        CHECK(rates.least * static_cast<double>(load.generators) >= 0.8 * rates.all);
        if (rates.all > best) {
            best = rates.all;
            best_value = value;
        }
    }
}

TEST_CASE("depth: more of anything is never slower, and no generator falls behind its equals") {
    for (std::uint64_t number = 0; number < 50; ++number) {
        check_ladder(number, 1000);
    }
}

TEST_CASE("depth: so it is for other loads, and longer runs", "[long]") {
    for (std::uint64_t number = 50; number < 350; ++number) {
        check_ladder(number, 3000);
    }
}

}  // namespace ndsim::test::depth_test
