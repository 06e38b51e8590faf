// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ndsim::sweep {

// A figure of a point, in the smallest units of its quantity.
struct Figure {
    std::string name;
    std::uint64_t value = 0;
    std::string unit;
};

// PointResult: the result of a point, as the journal keeps it and as a JSON object. Its metrics, of which there are
// hundreds, are in a row instead of the object.
struct PointResult {
    std::string text;
    nlohmann::ordered_json rest;
    std::vector<Figure> metrics;
};

[[nodiscard]] PointResult parse_result(std::string text);

}  // namespace ndsim::sweep
