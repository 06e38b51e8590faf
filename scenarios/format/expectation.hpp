// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"
#include "sim/config/problems.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

// A condition for the end of a run. Metrics are those of the result, by name.
struct MetricExpectation {
    std::string metric;
    std::optional<std::uint64_t> at_least;  // in the smallest units of the quantity: ps, bytes, bit/s, 1/s, ppm
    std::optional<std::uint64_t> at_most;
    std::string at_least_text;
    std::string at_most_text;
    std::optional<Quantity> unit;  // of the bounds; none: they are plain counts
    Position metric_at{};
    Position bound_at{};  // of the first bound
};

// A condition for the completion of a request.
struct CompletionExpectation {
    std::string request;  // "A.s1"
    std::string status;   // "success", "cancelled" ...: NTSTATUS names without STATUS_, in small letters; empty: any
    std::optional<std::uint64_t> bytes;
    std::optional<Picoseconds> within;  // of its post
    std::optional<bool> completes;      // false: no completion may come
};

// A condition for the order of completions.
struct OrderExpectation {
    std::vector<std::string> requests;  // their completions are returned in this order
};

// Two ranges of memory must be equal.
struct MemoryExpectation {
    std::string buffer;  // "B.rx"
    std::string equals;  // "A.tx"
    Bytes offset;
    Bytes size;  // 0: the whole smaller buffer

    template <class Field>
    void fields(Field&& field) {
        const auto range = between(0_B, Bytes{1ULL << 32U});
        field("offset", offset, range, "where the comparison begins, in both buffers", Mark::documented);
        field("size", size, range, "bytes to compare; 0: up to the end of the smaller buffer", Mark::documented);
    }
};

// A condition, and its place in the file.
struct Expectation {
    Position at;
    std::string path;
    std::variant<MetricExpectation, CompletionExpectation, OrderExpectation, MemoryExpectation> what;
};

}  // namespace ndsim
