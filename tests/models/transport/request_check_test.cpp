// SPDX-License-Identifier: Apache-2.0
#include "models/transport/request_check.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::request_check_test {

using State = ResponderState;

constexpr std::uint32_t kMtu = 1024;

bool well_formed(State state, Opcode opcode, std::uint32_t bytes) {
    Packet packet;
    packet.opcode = opcode;
    packet.payload_bytes = bytes;
    return is_well_formed(packet, state, kMtu);
}

TEST_CASE("request check: a PSN is the next one, came before, or has others missing before it", "[X9]") {
    CHECK(order_of(Psn{100}, Psn{100}) == PsnOrder::next);
    CHECK(order_of(Psn{99}, Psn{100}) == PsnOrder::duplicate);
    CHECK(order_of(Psn{101}, Psn{100}) == PsnOrder::gap);
    CHECK(order_of(Psn{0}, Psn{0xFF'FFFF}) == PsnOrder::gap);
    CHECK(order_of(Psn{0xFF'FFFF}, Psn{0}) == PsnOrder::duplicate);
}

TEST_CASE("request check: first and middle packets are full", "[X5][limit]") {
    for (const std::uint32_t bytes : {kMtu - 1, kMtu, kMtu + 1}) {
        CHECK(well_formed(State::between_messages, Opcode::send_first, bytes) == (bytes == kMtu));
        CHECK(well_formed(State::in_send, Opcode::send_middle, bytes) == (bytes == kMtu));
        CHECK(well_formed(State::in_write, Opcode::write_middle, bytes) == (bytes == kMtu));
    }
}

TEST_CASE("request check: a message of one packet may be empty, the last of several may not", "[X5][limit]") {
    for (const std::uint32_t bytes : {0U, 1U, kMtu, kMtu + 1}) {
        CHECK(well_formed(State::between_messages, Opcode::send_only, bytes) == (bytes <= kMtu));
        CHECK(well_formed(State::in_send, Opcode::send_last, bytes) == (bytes > 0 && bytes <= kMtu));
    }
}

TEST_CASE("request check: packets of a message follow each other, and no other comes between them", "[X5]") {
    CHECK_FALSE(well_formed(State::between_messages, Opcode::send_middle, kMtu));
    CHECK_FALSE(well_formed(State::between_messages, Opcode::write_last, 1));
    CHECK_FALSE(well_formed(State::in_send, Opcode::send_first, kMtu));
    CHECK_FALSE(well_formed(State::in_send, Opcode::write_middle, kMtu));
    CHECK_FALSE(well_formed(State::in_write, Opcode::send_last, 1));
    CHECK_FALSE(well_formed(State::in_write, Opcode::read_request, 0));
    CHECK(well_formed(State::between_messages, Opcode::read_request, 0));
    CHECK(well_formed(State::in_send, Opcode::send_last_with_invalidate, 1));
}

}  // namespace ndsim::test::request_check_test
