// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Loads that run with more and more of something, each run in a process of its own.
namespace ndsim::test {

// A parameter, from little of it to plenty.
struct Ladder {
    std::string path;  // of a generator, or of both hosts
    std::vector<std::string> values;
};

// A load: generators that are all alike, each on a core of its own.
struct Load {
    std::uint64_t generators = 1;
    std::uint64_t messages = 3000;
    std::uint64_t window = 0;
    bool is_send = false;
    std::string hosts;
    std::string members;
    [[nodiscard]] std::string text() const;
};

// What the generators get together, and the slowest of them.
struct Rates {
    double all = 0;
    double least = 0;
    bool software_binds = false;  // a core, or the window
};

// The hosts of a load that has the same preset on both.
[[nodiscard]] std::string hosts_of(const std::string& preset);
// A member of each generator, as overrides.
[[nodiscard]] std::vector<std::string> for_all(const Load& load, const std::string& member, const std::string& value);
// The rates with a value of the ladder; an experiment are overrides beside it.
[[nodiscard]] Rates rates_of(const Load& load, const std::string& path, const std::string& value,
                             const std::vector<std::string>& experiment = {});
// By what part the rate falls.
[[nodiscard]] double fall(const Load& load, const std::string& path, const std::string& from, const std::string& to,
                          const std::vector<std::string>& experiment = {});

// Of a fall that needs no cause.
constexpr double kSmallFall = 0.01;

}  // namespace ndsim::test
