// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scenarios/format/expectation.hpp"
#include "scenarios/format/program.hpp"

namespace ndsim::format {

// Parameters of the file that the Scenario has in another form.

// A "post": becomes `count` PostOps.
struct WrittenPost {
    PostKind kind{};
    std::uint32_t count = 1;
    Bytes offset;
    Bytes size;
    Bytes step;
    Bytes to_offset;
    Bytes from_offset;

    template <class Field>
    void fields(Field&& field) {
        const auto range = between(0_B, Bytes{1ULL << 32U});
        field("post", kind, kPostKindNames, "what is posted", Mark::documented);
        field("count", count, between(1U, 65536U),
              "how often it is posted; the label \"s\" becomes \"s[0]\", \"s[1]\" ...", Mark::documented);
        field("offset", offset, range, "offset in the buffer", Mark::documented);
        field("size", size, between(0_B, Bytes{1ULL << 30U}), "bytes; if left out, the rest of the buffer",
              Mark::documented);
        field("step", step, range, "distance from the offset of one request of the count to that of the next",
              Mark::documented);
        field("to_offset", to_offset, range, "for a write: offset in the peer's memory", Mark::documented);
        field("from_offset", from_offset, range, "for a read: offset in the peer's memory", Mark::documented);
    }
};

// The conditions for a completion, if the keys are there.
struct WrittenCompletion {
    std::uint64_t bytes = 0;
    Picoseconds within{};
    bool completes = true;

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::hours;
        field("bytes", bytes, between(std::uint64_t{0}, std::uint64_t{1} << 30U), "bytes that it reports",
              Mark::documented);
        field("within", within, between(Picoseconds{0}, hours{24}), "the longest time after the request was posted",
              Mark::documented);
        field("completes", completes, "false: no completion may come at all", Mark::documented);
    }
};

}  // namespace ndsim::format
