// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_pair.hpp"
#include "tests/ndapi/ndk/ndk_queue.hpp"

namespace ndsim::test::host_costs_test {

using namespace std::chrono_literals;

// What software costs its core, with preset B: a WQE 50 ns, an uncached store 100 ns, a store of 64 pushed bytes 75 ns,
// a completion that is polled 60 ns; and how long it takes to wake a program.

NDK_QP* qp_of_20_pieces(Party& party) {
    NDK_QP* created = nullptr;
    party.make(created, [&](Call& call, NDK_QP** out) {
        return party.pd->Dispatch->NdkCreateQp(party.pd, party.cq, party.cq, &party, 8, 8, 20, 20, 16, Call::created,
                                               &call, out);
    });
    return created;
}

// A connected party whose Sends may have 20 entries; the peer has a receive for each of eight.
void run_sender(const std::function<void(Party&)>& program) {
    run_pair(
        [&](Party& party) {
            party.qp = qp_of_20_pieces(party);
            party.be_active("B");
            party.host.sleep(1ms - party.host.clock());
            program(party);
            party.host.sleep(1ms);
        },
        [](Party& party) {
            for (int i = 0; i < 8; ++i) {
                expect(party.receive(64) == STATUS_SUCCESS, "a receive");
            }
            party.be_passive();
            party.host.sleep(5ms);
        });
}

Picoseconds post_with(Party& party, std::size_t pieces) {
    const std::vector<NDK_SGE> sgl(pieces, party.piece(1));
    const Picoseconds begun = party.host.clock();
    expect(party.qp->Dispatch->NdkSend(party.qp, nullptr, sgl.data(), static_cast<ULONG>(pieces), 0) == STATUS_SUCCESS,
           "a Send");
    return party.host.clock() - begun;
}

TEST_CASE("host: a post takes building the WQE, and a store that pushes it or one for the doorbell", "[formula]") {
    run_sender([](Party& party) {
        // 16 + 16 = 32 bytes are one unit, which is pushed; behind it others would wait anyway.
        expect(post_with(party, 1) == 50ns + 75ns, "one unit");
        expect(post_with(party, 1) == 50ns + 100ns, "behind another");
        const Picoseconds begun = party.host.clock();
        expect(party.receive(64) == STATUS_SUCCESS, "a receive");
        expect(party.host.clock() - begun == 50ns + 100ns, "a receive is not pushed");
    });
}

TEST_CASE("host: a WQE of two units takes two stores", "[formula]") {
    // 16 + 4 x 16 = 80 bytes.
    run_sender([](Party& party) { expect(post_with(party, 4) == 50ns + 2 * 75ns, "two units"); });
}

TEST_CASE("host: a WQE of 256 bytes is pushed", "[limit]") {
    // 16 + 15 x 16 = 256 bytes are four units.
    run_sender([](Party& party) { expect(post_with(party, 15) == 50ns + 4 * 75ns, "256 bytes"); });
}

TEST_CASE("host: a WQE that is longer than 256 bytes is fetched", "[limit]") {
    // 272 bytes are announced by a doorbell alone.
    run_sender([](Party& party) { expect(post_with(party, 16) == 50ns + 100ns, "272 bytes"); });
}

TEST_CASE("host: a poll takes as long for each completion that it returns", "[formula]") {
    run_queue(64, [](Queue& queue) {
        queue.place_and_wait(4);
        Picoseconds begun = queue.host.clock();
        expect(queue.poll(1) == 1, "one");
        expect(queue.host.clock() - begun == 60ns, "of one");
        begun = queue.host.clock();
        expect(queue.poll(64) == 3, "three");
        expect(queue.host.clock() - begun == 3 * 60ns, "of three");
    });
}

TEST_CASE("host: the NIC is told of the sixteenth poll, not of the fifteenth", "[limit]") {
    run_queue(64, [](Queue& queue) {
        queue.place_and_wait(17);
        Picoseconds begun = queue.host.clock();
        expect(queue.poll(15) == 15, "fifteen");
        expect(queue.host.clock() - begun == 15 * 60ns, "no store");
        begun = queue.host.clock();
        expect(queue.poll(1) == 1, "the sixteenth");
        expect(queue.host.clock() - begun == 60ns + 100ns, "with a store");
        begun = queue.host.clock();
        expect(queue.poll(1) == 1, "the seventeenth");
        expect(queue.host.clock() - begun == 60ns, "without one");
    });
}

// How long a program that has armed its queue takes until it knows of a Send of two bytes, which comes much later.
std::uint64_t knows_after(const std::string& how) {
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "2 B"}}}, "B": {"buffers": {"rx": {"size": "64 B"}}}},
        "programs": {
            "A": [{"sleep": "50 us"}, {"post": "send", "buffer": "tx", "flags": ["inline"]}, {"poll": "q0.send"}],
            "B": [{"post": "receive", "buffer": "rx"}, {"arm": "q0.receive"},
                  {"time": "t", "do": [{")" +
                                        how + R"(": "q0.receive"}]}, {"sleep": "50 us"}]}})");
    return run.metric("programs.B.t.max");
}

constexpr std::uint64_t t(std::uint64_t bytes) {
    return (bytes * 40'625 + 607) / 608;
}

TEST_CASE("host: a program that sleeps goes on event_wakeup after the handler, and that runs msix_to_isr later",
          "[formula]") {
    // Payload 2 + 24 bytes, CQE 64 + 24 and interrupt 4 + 24 follow each other on PCIe; then one way and the root
    // complex, for both. The poll returns 60 + 60 ns after the CQE is visible, the program goes on 1.2 + 4 us after the
    // interrupt is.
    const std::uint64_t behind_cqe = t(26 + 88 + 28) - t(26 + 88);
    CHECK(knows_after("wait") == knows_after("poll") + behind_cqe + 1'200'000 + 4'000'000 - 120'000);
}

// The link takes each store before the next one is made, so that one place is enough. The sender posts all that its
// window allows before it polls, however far that takes its core ahead of the simulation.
TEST_CASE("host: a store buffer that is never full has no effect") {
    std::optional<std::uint64_t> latency;
    for (const char* const stores : {"2", "16", "56", "1000"}) {
        INFO(stores);
        const ChildResult run = run_traffic(R"("size": "64 B", "count": 1000, "window": 128)",
                                            {"nic.sq.depth=128", std::string("cpu.store_buffer=") + stores});
        CHECK(run.metric("A.cpu_t.store_buffer.high_water") == 1);
        CHECK(run.metric("A.cpu_t.store_buffer.full") == 0);
        CHECK(run.metric("traffic.t.latency.mean") == latency.value_or(run.metric("traffic.t.latency.mean")));
        latency = run.metric("traffic.t.latency.mean");
    }
}

}  // namespace ndsim::test::host_costs_test
