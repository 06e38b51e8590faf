// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/proto/opcode.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// A fault of a packet under way.
enum class LinkFault : std::uint8_t { drop, corrupt, duplicate, delay, reorder };
inline constexpr std::array<std::string_view, 5> kLinkFaultNames{"drop", "corrupt", "duplicate", "delay", "reorder"};

// FaultRule: the packets of one direction of a link that have the fault: the n-th that matches and those behind it, or
// each with a probability. Management datagrams do not count and are spared.
struct FaultRule {
    LinkFault fault{};
    std::optional<Opcode> opcode;  // only packets with this opcode
    std::uint64_t packet = 0;
    std::uint64_t count = 1;
    Fraction rate{};
    Picoseconds by = std::chrono::microseconds{10};
    Picoseconds from{};
    Picoseconds until = std::chrono::hours{24};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::hours;
        field("packet", packet, between(std::uint64_t{0}, UINT64_MAX),
              "the n-th matching packet, counted from 1; 0: packets are chosen at random", Mark::documented);
        field("count", count, between(std::uint64_t{1}, UINT64_MAX), "number of packets, starting with that one",
              Mark::documented);
        field("rate", rate, between(Fraction{0}, Fraction{1'000'000}),
              "share of the matching packets, chosen at random", Mark::documented);
        field("by", by, between(Picoseconds{1}, hours{1}),
              "how much later a delayed packet arrives, or a reordered one if nothing overtakes it", Mark::documented);
        field("from", from, between(Picoseconds{0}, hours{24}), "only packets that leave at or after this time",
              Mark::documented);
        field("until", until, between(Picoseconds{0}, hours{24}), "only packets that leave before this time",
              Mark::documented);
    }
};

}  // namespace ndsim
