// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/trace_answers.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::trace_answers_test {

using namespace std::chrono_literals;

constexpr QpNum kQp{0x22};

Packet request(Opcode opcode, std::uint32_t psn) {
    Packet packet;
    packet.opcode = opcode;
    packet.psn = Psn{psn};
    packet.destination = kQp;
    return packet;
}

Packet answer(Opcode opcode, std::uint32_t psn) {
    Packet packet;
    packet.opcode = opcode;
    packet.psn = Psn{psn};
    packet.source = kQp;
    return packet;
}

// What has come to host 1, each at its own time.
struct Come {
    void came(Opcode opcode, std::uint32_t psn, Picoseconds at) { answers.came(1, request(opcode, psn), {7, at, 0}); }
    // When the packet came that the answer answers; none: -1 ps.
    Picoseconds take(Opcode opcode, std::uint32_t psn, Picoseconds made) {
        const auto point = answers.take(1, answer(opcode, psn), made);
        return point ? point->at : Picoseconds{-1};
    }
    TraceAnswers answers;
};

constexpr Picoseconds kNone{-1};

TEST_CASE("trace answers: an acknowledgement answers the last packet that it covers, and is the only one") {
    Come all;
    all.came(Opcode::send_first, 300, 1ns);
    all.came(Opcode::send_last, 301, 2ns);
    all.came(Opcode::send_only, 302, 3ns);
    CHECK(all.take(Opcode::acknowledge, 301, 10ns) == 2ns);
    CHECK(all.answers.earliest() == 3ns);
    CHECK(all.take(Opcode::acknowledge, 302, 10ns) == 3ns);
    CHECK(all.take(Opcode::acknowledge, 302, 10ns) == kNone);
    CHECK(all.answers.earliest() == Picoseconds::max());
}

TEST_CASE("trace answers: the first data of a Read answers its request, and no other packet does") {
    Come all;
    all.came(Opcode::read_request, 300, 1ns);
    all.came(Opcode::read_request, 310, 2ns);
    all.came(Opcode::write_only, 320, 3ns);
    CHECK(all.take(Opcode::read_response_first, 300, 10ns) == 1ns);
    CHECK(all.take(Opcode::read_response_last, 301, 10ns) == kNone);
    CHECK(all.take(Opcode::read_response_only, 310, 10ns) == 2ns);
    CHECK(all.take(Opcode::read_response_only, 310, 10ns) == kNone);
    CHECK(all.take(Opcode::acknowledge, 320, 10ns) == 3ns);
}

// The first request came behind a gap, or damaged: it was dropped, and the Read asked for again.
TEST_CASE("trace answers: the data of a repeated Read answers the last request that has come") {
    Come all;
    all.came(Opcode::read_request, 300, 1ns);
    all.came(Opcode::read_request, 310, 2ns);
    all.came(Opcode::read_request, 300, 3ns);
    all.came(Opcode::read_request, 310, 4ns);
    CHECK(all.take(Opcode::read_response_only, 300, 10ns) == 3ns);
    CHECK(all.answers.earliest() == 4ns);  // nothing holds back the file for what was dropped
    CHECK(all.take(Opcode::read_response_only, 310, 10ns) == 4ns);
}

TEST_CASE("trace answers: a request that comes when the answer is made has not asked for it") {
    Come all;
    all.came(Opcode::read_request, 300, 1ns);
    all.came(Opcode::read_request, 300, 20ns);
    CHECK(all.take(Opcode::read_response_only, 300, 10ns) == 1ns);
    CHECK(all.take(Opcode::read_response_only, 300, 10ns) == kNone);
    CHECK(all.take(Opcode::read_response_only, 300, 20ns) == 20ns);
}

TEST_CASE("trace answers: each queue pair of each host has its own") {
    Come all;
    all.came(Opcode::send_only, 300, 1ns);
    CHECK_FALSE(all.answers.take(2, answer(Opcode::acknowledge, 300), 10ns));
    Packet other = answer(Opcode::acknowledge, 300);
    other.source = QpNum{0x23};
    CHECK_FALSE(all.answers.take(1, other, 10ns));
    CHECK(all.take(Opcode::acknowledge, 300, 10ns) == 1ns);
}

}  // namespace ndsim::test::trace_answers_test
