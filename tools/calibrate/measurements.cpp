// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/measurements.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ndsim::calibrate {

namespace {

// Units as perftest writes them. Its MB is 2^20 bytes.
struct NamedUnit {
    std::string_view name;
    Unit unit;
};
constexpr std::array<NamedUnit, 4> kOfPerftest{{{"MB/sec", {Quantity::rate, 8.0 * 1024 * 1024}},
                                                {"Gb/sec", {Quantity::rate, 1e9}},
                                                {"Mpps", {Quantity::frequency, 1e6}},
                                                {"usec", {Quantity::time, 1e6}}}};
constexpr std::array<Quantity, 3> kMeasured{Quantity::time, Quantity::rate, Quantity::frequency};
constexpr double kLargest = 1e18;  // fits into 64 bits

}  // namespace

std::optional<Unit> unit_of(std::string_view name) {
    const auto* const known = std::ranges::find(kOfPerftest, name, &NamedUnit::name);
    if (known != kOfPerftest.end()) {
        return known->unit;
    }
    for (const Quantity quantity : kMeasured) {
        if (const auto one = parse(quantity, "1 " + std::string(name)).value) {
            return Unit{quantity, static_cast<double>(*one)};
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> value_in(const Unit& unit, std::string_view number) {
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || end != number.data() + number.size()) {
        return std::nullopt;
    }
    const double whole = std::round(value * unit.scale);
    return whole >= 0 && whole < kLargest ? std::optional(static_cast<std::uint64_t>(whole)) : std::nullopt;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

Measurements read_measurements(const std::string& file, std::string_view text,
                               const std::optional<Generator>& generator) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // which spreadsheets write
    text.remove_prefix(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    Problems problems(file);
    Measurements found;
    if (!is_perftest(text)) {
        found = read_csv(text, generator, problems);
    } else if (generator) {
        found = read_perftest(text, *generator, problems);
    } else {
        problems.add(Position{}, {}, "expected a scenario with a generator, as a table of perftest is of one",
                     "CSV may have figures of programs");
    }
    if (problems.empty() && found.figures.empty()) {
        problems.add(Position{}, {}, "expected a row with a measured figure",
                     "such as a heading \"size,goodput [Gbps]\" and a row \"64 B,1.5\"");
    }
    problems.throw_if_any();
    return found;
}

}  // namespace ndsim::calibrate
