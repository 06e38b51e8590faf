// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/traffic.hpp"
#include "sim/config/problems.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::calibrate {

// The scenario's values at a measurement, as --set takes them.
struct MeasuredRun {
    Position at;  // of the row
    std::vector<std::string> overrides;
};

// A measured figure.
struct Measured {
    std::size_t run = 0;
    std::string metric;  // full name: traffic.t.goodput
    Quantity quantity{};
    std::uint64_t value = 0;  // in smallest units; not 0
    Position at;
};

// The rows and figures of a table.
struct Measurements {
    std::vector<MeasuredRun> runs;
    std::vector<Measured> figures;
};

// The generator of short names such as size and goodput.
struct Generator {
    std::string name;
    TrafficOperation operation{};
};

// Reads a table of measurements: CSV with a heading, or perftest's output, with any text around it. ConfigError lists
// all problems.
[[nodiscard]] Measurements read_measurements(const std::string& file, std::string_view text,
                                             const std::optional<Generator>& generator);

// The two readers of read_measurements(). They add to `problems`.
[[nodiscard]] bool is_perftest(std::string_view text);
[[nodiscard]] Measurements read_perftest(std::string_view text, const Generator& generator, Problems& problems);
[[nodiscard]] Measurements read_csv(std::string_view text, const std::optional<Generator>& generator,
                                    Problems& problems);

// A unit: "1.84" and "us" is 1840000 ps, rounded to the nearest one. None: unknown unit, or no number.
struct Unit {
    Quantity quantity{};
    double scale = 0;  // smallest units
};
[[nodiscard]] std::optional<Unit> unit_of(std::string_view name);
[[nodiscard]] std::optional<std::uint64_t> value_in(const Unit& unit, std::string_view number);

[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace ndsim::calibrate
