// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_link.hpp"

// READ_FENCE. Reads are of half a MiB, which takes 42 us at 100 Gbps; a short message is there after a few.

namespace ndsim::test::nd1_fence_test {

constexpr SIZE_T kHalf = 512 * 1024;
constexpr std::uint64_t kReadTakes = 41'900;  // ns, on the wire alone
constexpr DWORD kFence = ND_OP_FLAG_READ_FENCE;

// What happened, in ns from when A began to post.
struct Story {
    Nd1Ends at_a;
    std::uint64_t first_end = 0;  // A had its first result
    std::uint64_t arrived = 0;    // B had a message
};

// A posts some requests, among them one message, as often as there are flags. B's window has half a MiB to read from.
using Post = std::function<void(Nd1Party& a, const ND_MW_DESCRIPTOR& open, DWORD flags)>;
std::vector<Story> tell(const std::vector<DWORD>& flags, std::size_t results, const Post& post) {
    ND_MW_DESCRIPTOR open{};
    std::vector<Story> stories(flags.size());
    std::vector<std::uint64_t> begun;
    std::vector<std::uint64_t> arrived;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          for (std::size_t i = 0; i < flags.size(); ++i) {
                              a.os.sleep(1);
                              begun.push_back(a.os.nanoseconds());
                              post(a, open, flags[i]);
                              stories[i].at_a = a.ended();
                              stories[i].first_end = a.os.nanoseconds() - begun.back();
                              const Nd1Ends rest = a.ended(results - 1);
                              stories[i].at_a.insert(stories[i].at_a.end(), rest.begin(), rest.end());
                          }
                      }},
                 {.program = [&](Nd1Party& b) {
                     open = b.open_window(0, kHalf).descriptor;
                     for (std::size_t i = 0; i < flags.size(); ++i) {
                         expect(b.receive(i, 64, kHalf) == ND_SUCCESS, "a Receive for each message");
                     }
                     for (std::size_t i = 0; i < flags.size(); ++i) {
                         (void)b.received();
                         arrived.push_back(b.os.nanoseconds());
                     }
                 }});
    REQUIRE(begun.size() == arrived.size());
    for (std::size_t i = 0; i < begun.size(); ++i) {
        stories[i].arrived = arrived[i] - begun[i];
    }
    return stories;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) {
    return std::max(a, b) - std::min(a, b);
}

// Without the fence the message is there long before the data, so that the fence has something to do.
TEST_CASE("nd1: a fence holds a Send back until the Read before it has ended", "[R58][R61][R62]") {
    const std::vector<Story> stories = tell({0, kFence}, 2, [](Nd1Party& a, const ND_MW_DESCRIPTOR& open, DWORD flags) {
        expect(a.read(1, kHalf, open) == ND_SUCCESS && a.send(2, 8, flags) == ND_SUCCESS, "a Read and a Send");
    });
    CHECK(stories[0].arrived < kReadTakes);
    CHECK(stories[1].arrived > stories[1].first_end);
    CHECK(stories[1].first_end > kReadTakes);
    for (const Story& story : stories) {
        CHECK(story.at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}});
    }
}

TEST_CASE("nd1: what is behind a fenced request waits with it", "[R66]") {
    const std::vector<Story> stories = tell({0, kFence}, 3, [](Nd1Party& a, const ND_MW_DESCRIPTOR& open, DWORD flags) {
        expect(a.read(1, kHalf, open) == ND_SUCCESS &&
                   a.endpoint->Write(a.block(2), nullptr, 0, &open, 0, flags) == ND_SUCCESS &&
                   a.send(3, 8) == ND_SUCCESS,
               "a Read, a Write of nothing, a Send");
    });
    CHECK(stories[0].arrived < kReadTakes);
    CHECK(stories[1].arrived > stories[1].first_end);
    CHECK(stories[1].at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}});
}

TEST_CASE("nd1: a fence waits for silent Reads, too", "[R62]") {
    const std::vector<Story> stories = tell({kFence}, 1, [](Nd1Party& a, const ND_MW_DESCRIPTOR& open, DWORD flags) {
        expect(a.read(1, kHalf, open, ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS && a.send(2, 8, flags) == ND_SUCCESS,
               "a Read and a Send");
    });
    CHECK(stories[0].arrived > kReadTakes);
    CHECK(stories[0].at_a == Nd1Ends{{2, ND_SUCCESS}});
}

// The first Send fills the NICs' caches. B looks every few ns.
TEST_CASE("nd1: a fence costs no time if there is no Read", "[R63]") {
    const std::vector<Story> stories = tell({0, 0, kFence}, 1, [](Nd1Party& a, const ND_MW_DESCRIPTOR&, DWORD flags) {
        expect(a.send(1, 8, flags) == ND_SUCCESS, "a Send");
    });
    CHECK(difference(stories[1].arrived, stories[2].arrived) <= 20);
}

// Waiting for an acknowledgement would cost a flight there and back, 500 ns.
TEST_CASE("nd1: a fence does not wait for Writes", "[R64]") {
    const std::vector<Story> stories =
        tell({0, 0, kFence}, 2, [](Nd1Party& a, const ND_MW_DESCRIPTOR& open, DWORD flags) {
            expect(a.write(1, kHalf, open) == ND_SUCCESS && a.send(2, 8, flags) == ND_SUCCESS, "a Write and a Send");
        });
    CHECK(difference(stories[1].arrived, stories[2].arrived) <= 100);
}

// The second of two messages follows the first at once, with the fence as without.
TEST_CASE("nd1: a fence does not wait for Sends", "[R64]") {
    std::vector<std::uint64_t> gaps;
    run_nd1_pair({.program =
                      [](Nd1Party& a) {
                          for (const DWORD flags : {DWORD{0}, DWORD{0}, kFence}) {
                              a.os.sleep(1);
                              expect(a.send(1, 4096) == ND_SUCCESS && a.send(2, 8, flags) == ND_SUCCESS, "two Sends");
                              (void)a.ended(2);
                          }
                      }},
                 {.program = [&](Nd1Party& b) {
                     for (std::size_t number = 1; number <= 6; ++number) {
                         expect(b.receive(number, 4096) == ND_SUCCESS, "a Receive for each");
                     }
                     for (int pair = 0; pair < 3; ++pair) {
                         (void)b.received();
                         const std::uint64_t first = b.os.nanoseconds();
                         (void)b.received();
                         gaps.push_back(b.os.nanoseconds() - first);
                     }
                 }});
    REQUIRE(gaps.size() == 3);
    CHECK(difference(gaps[1], gaps[2]) <= 100);
}

TEST_CASE("nd1: a fence does not wait for Reads that are posted later", "[R65]") {
    const std::vector<Story> stories = tell({kFence}, 2, [](Nd1Party& a, const ND_MW_DESCRIPTOR& open, DWORD flags) {
        expect(a.send(1, 8, flags) == ND_SUCCESS && a.read(2, kHalf, open) == ND_SUCCESS, "a Send and a Read");
    });
    CHECK(stories[0].arrived < kReadTakes);
    CHECK(stories[0].at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}});
}

// Both endpoints of A report to one CQ, so the order of the results is that of the ends.
TEST_CASE("nd1: a fence does not wait for Reads of another endpoint", "[R65]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Nd1Link link(a);
                          link.be_active("B");
                          expect(a.read(1, kHalf, open) == ND_SUCCESS, "a Read");
                          expect(link.send(2, 8, kFence) == ND_SUCCESS, "a Send on the other endpoint");
                          at_a = a.ended(2);
                      }},
                 {.program = [&](Nd1Party& b) {
                     open = b.open_window(0, kHalf).descriptor;
                     Nd1Link link(b);
                     expect(link.receive(1, 64) == ND_SUCCESS, "a Receive");
                     link.be_passive();
                     until_ms(b.os, 10);
                 }});
    CHECK(at_a == Nd1Ends{{2, ND_SUCCESS}, {1, ND_SUCCESS}});
}

}  // namespace ndsim::test::nd1_fence_test
