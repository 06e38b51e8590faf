// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_fence_test {

constexpr ULONG kLong = 512U << 10U;
// 512 KiB at 100 Gbps take 41.9 us on the wire alone.
constexpr std::uint64_t kLongTime = 41'900;

// What A posts in a round. The last of its messages is the one that B looks for.
using Round = std::function<void(Nd2Party& a, const Nd2Place& b)>;

// When things happened, in nanoseconds from the beginning of the round.
struct Times {
    std::vector<std::uint64_t> arrived;  // B had the message's Receive
    std::vector<std::uint64_t> ended;    // A had the first result
    std::vector<Endings> at_a;
};

// Runs the rounds one after the other, long after each other. B has a Receive for every message of each.
Times run_rounds(const std::vector<Round>& rounds, std::size_t results, std::size_t messages = 1) {
    Times times;
    std::vector<std::uint64_t> begun;
    std::vector<std::uint64_t> arrived;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          for (const Round& round : rounds) {
                              a.os.sleep(1);
                              begun.push_back(a.os.nanoseconds());
                              round(a, b);
                              Endings all = next(a);
                              times.ended.push_back(a.os.nanoseconds() - begun.back());
                              const Endings rest = next(a, results - 1);
                              all.insert(all.end(), rest.begin(), rest.end());
                              times.at_a.push_back(all);
                          }
                      }},
                 {.rights = kRemoteRights,
                  .program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          for (std::size_t i = 0; i < rounds.size() * messages; ++i) {
                              expect(b.receive(4096) == ND_SUCCESS, "a Receive");
                          }
                          for (std::size_t i = 0; i < rounds.size(); ++i) {
                              next(b, messages);
                              arrived.push_back(b.os.nanoseconds());
                          }
                      },
                  .sizes = {.receive_depth = 32}});
    REQUIRE(arrived.size() == begun.size());
    for (std::size_t i = 0; i < begun.size(); ++i) {
        times.arrived.push_back(arrived[i] - begun[i]);
    }
    return times;
}

void send(Nd2Party& a, ULONG flags, std::uintptr_t request) {
    expect(a.send(64, flags, context(request)) == ND_SUCCESS, "a Send");
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) {
    return a > b ? a - b : b - a;
}

// In the third round what is fenced is a Write between the Read and the Send.
TEST_CASE("nd2: a fence holds a message back until the Read before it has ended", "[R58][R61][R62][R66]") {
    const auto read = [](Nd2Party& a, const Nd2Place& b) {
        expect(a.read(kLong, b, 0, context(1)) == ND_SUCCESS, "a long Read");
    };
    const Times times =
        run_rounds({[&](Nd2Party& a, const Nd2Place& b) {
                        read(a, b);
                        send(a, 0, 2);
                        expect(a.write(0, b, 0, context(3)) == ND_SUCCESS, "a Write");
                    },
                    [&](Nd2Party& a, const Nd2Place& b) {
                        read(a, b);
                        send(a, ND_OP_FLAG_READ_FENCE, 2);
                        expect(a.write(0, b, 0, context(3)) == ND_SUCCESS, "a Write");
                    },
                    [&](Nd2Party& a, const Nd2Place& b) {
                        read(a, b);
                        expect(a.write(0, b, ND_OP_FLAG_READ_FENCE, context(2)) == ND_SUCCESS, "a Write");
                        send(a, 0, 3);
                    }},
                   3);
    REQUIRE(times.arrived.size() == 3);
    CHECK(times.arrived[0] < kLongTime);
    CHECK(times.arrived[1] > times.ended[1]);
    CHECK(times.arrived[2] > times.ended[2]);
    CHECK(times.ended[1] > kLongTime);
    const Endings send_second{{kRead, ND_SUCCESS, 1}, {kSend, ND_SUCCESS, 2}, {kWrite, ND_SUCCESS, 3}};
    CHECK(times.at_a[0] == send_second);
    CHECK(times.at_a[1] == send_second);
    CHECK(times.at_a[2] == Endings{{kRead, ND_SUCCESS, 1}, {kWrite, ND_SUCCESS, 2}, {kSend, ND_SUCCESS, 3}});
}

TEST_CASE("nd2: a fence holds a message back for a Read that is silent", "[R62]") {
    const Times times = run_rounds({[](Nd2Party& a, const Nd2Place& b) {
                                       expect(a.read(kLong, b, ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS, "a Read");
                                       send(a, ND_OP_FLAG_READ_FENCE, 1);
                                   }},
                                   1);
    REQUIRE(times.arrived.size() == 1);
    CHECK(times.arrived[0] > kLongTime);
    CHECK(times.at_a[0] == Endings{{kSend, ND_SUCCESS, 1}});
}

// The first round fills the NICs' caches. B looks every 10 ns.
TEST_CASE("nd2: a fence costs no time if there is no Read", "[R63]") {
    const auto plain = [](Nd2Party& a, const Nd2Place&) { send(a, 0, 1); };
    const auto fenced = [](Nd2Party& a, const Nd2Place&) { send(a, ND_OP_FLAG_READ_FENCE, 1); };
    const Times times = run_rounds({plain, plain, fenced}, 1);
    REQUIRE(times.arrived.size() == 3);
    CHECK(difference(times.arrived[1], times.arrived[2]) <= 20);
}

// To wait for the acknowledgement of the Write or Send in front would take more than a flight of 250 ns each way.
TEST_CASE("nd2: a fence does not wait for Writes and Sends", "[R64]") {
    const auto behind_write = [](ULONG flags) {
        return [flags](Nd2Party& a, const Nd2Place& b) {
            expect(a.write(kLong, b) == ND_SUCCESS, "a long Write");
            send(a, 0, 1);
            send(a, flags, 2);
        };
    };
    const auto behind_send = [](ULONG flags) {
        return [flags](Nd2Party& a, const Nd2Place& b) {
            expect(a.send(4096) == ND_SUCCESS, "a Send of a whole packet");
            send(a, flags, 1);
            expect(a.write(0, b) == ND_SUCCESS, "a Write of nothing");
        };
    };
    const Times times = run_rounds({behind_write(0), behind_write(0), behind_write(ND_OP_FLAG_READ_FENCE),
                                    behind_send(0), behind_send(0), behind_send(ND_OP_FLAG_READ_FENCE)},
                                   3, 2);
    REQUIRE(times.arrived.size() == 6);
    CHECK(difference(times.arrived[1], times.arrived[2]) <= 100);
    CHECK(difference(times.arrived[4], times.arrived[5]) <= 100);
}

TEST_CASE("nd2: a fence does not wait for Reads that are posted later", "[R65]") {
    const Times times = run_rounds({[](Nd2Party& a, const Nd2Place& b) {
                                       send(a, ND_OP_FLAG_READ_FENCE, 1);
                                       expect(a.read(kLong, b, 0, context(2)) == ND_SUCCESS, "a long Read");
                                   }},
                                   2);
    REQUIRE(times.arrived.size() == 1);
    CHECK(times.arrived[0] < kLongTime);
    CHECK(times.at_a[0] == Endings{{kSend, ND_SUCCESS, 1}, {kRead, ND_SUCCESS, 2}});
}

TEST_CASE("nd2: a fence does not wait for Reads of another queue pair", "[R65]") {
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          Nd2Link link(a);
                          link.be_active("B");
                          a.os.sleep(1);
                          const ND2_SGE sge = a.piece(kLong);
                          expect(link.qp->Read(context(1), &sge, 1, b.address, b.token, 0) == ND_SUCCESS,
                                 "a long Read");
                          expect(a.send(64, ND_OP_FLAG_READ_FENCE, context(2)) == ND_SUCCESS, "a Send");
                          at_a = next(a, 2);
                      }},
                 {.rights = kRemoteRights, .program = [](Nd2Party& b, const Nd2Place&) {
                      expect(b.receive(64) == ND_SUCCESS, "a Receive");
                      Nd2Link link(b);
                      link.be_passive();
                      until_ms(b.os, 15);
                  }});
    // The Send has ended long before the Read.
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 2}, {kRead, ND_SUCCESS, 1}});
}

}  // namespace ndsim::test::nd2_fence_test
