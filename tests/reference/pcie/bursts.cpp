// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/pcie/bursts.hpp"

#include <string>

#include "tests/reference/pcie/slow_pcie.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::reference::pcie {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kPage = 4096;

// A burst of `count` transfers, or pairs, at `start`.
void add(std::vector<Transfer>& transfers, Traffic traffic, std::uint32_t size, Picoseconds start,
         std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t address = i * kPage % kHalf;
        if (traffic != Traffic::writes) {
            transfers.push_back({Kind::read, start, address, size, {}, {}});
        }
        if (traffic != Traffic::reads) {
            transfers.push_back({Kind::write, start, kHalf + address, size, {}, {}});
        }
    }
}

}  // namespace

std::vector<Times> run_slow(const Setup& setup, const std::vector<Transfer>& transfers) {
    return SlowPcie(setup).run(transfers);
}

Setup unlimited(std::uint32_t generation, std::uint32_t width, Bytes mps, Bytes mrrs) {
    Setup setup;
    setup.pcie.generation = generation;
    setup.pcie.width = width;
    setup.pcie.mps = mps;
    setup.pcie.mrrs = mrrs;
    setup.pcie.tags = 15360;
    setup.pcie.posted_headers = 65536;
    setup.pcie.posted_data = 1U << 20U;
    setup.pcie.nonposted_headers = 65536;
    setup.dma = {15360, 65536, 0};
    return setup;
}

Sizes all_sizes() {
    Sizes sizes;
    for (std::uint32_t size = 1; size <= kPage; ++size) {
        sizes.push_back(size);
    }
    return sizes;
}

Sizes telling_sizes() {
    Sizes sizes{1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 63, 64, 65, 100};
    for (std::uint32_t size = 128; size <= kPage; size += 128) {
        sizes.insert(sizes.end(), {size - 1, size, size + 1});
    }
    sizes.pop_back();
    return sizes;
}

std::vector<Picoseconds> burst_times(const Model& model, const Setup& setup, Traffic traffic, const Sizes& sizes) {
    struct Burst {
        Picoseconds start{};
        std::size_t first = 0;
    };
    std::vector<Transfer> transfers;
    std::vector<Burst> bursts;
    Picoseconds start{};
    for (const std::uint32_t size : sizes) {
        const std::uint64_t one = burst(setup.pcie, traffic, size);
        for (const std::uint64_t count : {one, 2 * one}) {
            bursts.push_back({start, transfers.size()});
            add(transfers, traffic, size, start, count);
            start += 2 * link_time(setup.pcie, traffic, size, count) + 10us;  // until all is quiet again
        }
    }
    bursts.push_back({start, transfers.size()});
    const std::vector<Times> times = model(setup, transfers);
    const auto duration = [&](std::size_t n) {
        Picoseconds end{};
        for (std::size_t i = bursts[n].first; i < bursts[n + 1].first; ++i) {
            if (traffic != Traffic::both || transfers[i].kind == Kind::write) {
                end = std::max(end, times[i].last);
            }
        }
        return end - bursts[n].start;
    };
    std::vector<Picoseconds> result;
    for (std::size_t n = 0; n < 2 * sizes.size(); n += 2) {
        result.push_back(duration(n + 1) - duration(n));
    }
    return result;
}

void check_formula(const Model& model, const Setup& setup, Traffic traffic, const Sizes& sizes) {
    const std::vector<Picoseconds> times = burst_times(model, setup, traffic, sizes);
    std::string wrong;
    const auto complain = [&](std::size_t i, const std::string& what) {
        wrong += std::to_string(sizes[i]) + " bytes: " + std::to_string(times[i].count()) + " ps, " + what + "\n";
    };
    const auto payload = [&](std::size_t i) {
        return static_cast<std::int64_t>(sizes[i] * burst(setup.pcie, traffic, sizes[i]));
    };
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Picoseconds formula = link_time(setup.pcie, traffic, sizes[i], burst(setup.pcie, traffic, sizes[i]));
        if (std::chrono::abs(times[i] - formula) * 200 > formula) {
            complain(i, "by the formula " + std::to_string(formula.count()));
        }
        if (i == 0 || sizes[i - 1] + 1 != sizes[i]) {
            continue;
        }
        // Payload of a burst by its time, crosswise.
        const bool drops = times[i - 1].count() * payload(i) < times[i].count() * payload(i - 1);
        if (drops != drops_at(setup.pcie, traffic, sizes[i])) {
            complain(i, drops ? "a drop that is none" : "no drop");
        }
    }
    INFO("generation " << setup.pcie.generation << ", width " << setup.pcie.width << ", MPS " << setup.pcie.mps.count
                       << ", MRRS " << setup.pcie.mrrs.count << ", traffic " << static_cast<int>(traffic));
    CHECK(wrong == "");
}

}  // namespace ndsim::reference::pcie
