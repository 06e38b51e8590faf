// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/post_times.hpp"

#include <filesystem>

#include "sim/base/text.hpp"

namespace ndsim::format {

Parsed<std::vector<Picoseconds>> read_post_times(std::istream& text) {
    std::vector<Picoseconds> times;
    std::string whole;
    for (std::uint64_t number = 1; std::getline(text, whole); ++number) {
        const std::string_view line = trimmed(whole);
        if (line.empty() || line.front() == '#') {
            continue;
        }
        const Parsed<std::uint64_t> time = parse(Quantity::time, line);
        if (!time.value) {
            return {std::nullopt, std::to_string(number) + ": " + time.error};
        }
        const Picoseconds at{static_cast<std::int64_t>(*time.value)};
        if (!times.empty() && at < times.back()) {
            return {std::nullopt, std::to_string(number) + ": " + std::string(line) + " is before the line above"};
        }
        times.push_back(at);
    }
    return {std::move(times), {}};
}

std::string trace_path(const std::string& scenario_file, const std::string& trace) {
    return (std::filesystem::path(scenario_file).parent_path() / trace).string();
}

}  // namespace ndsim::format
