// SPDX-License-Identifier: Apache-2.0

#include "tests/ndapi/ndk/ndk_program.hpp"

// A loop of empty polls is not simulated round by round. What it finds, and when, is what the rounds would.

namespace ndsim::test::ndk_poll_test {

using namespace std::chrono_literals;

constexpr Picoseconds kBegin = 1ms;
constexpr Picoseconds kPeriod = 300us;
constexpr Picoseconds kRound = 10ns;  // cpu.poll_empty
constexpr Picoseconds kPoll = 160ns;  // cpu.poll_cq, and the store that tells the NIC of it (cpu.mmio_uc)
constexpr int kMessages = 4;
constexpr int kMessagesInTurn = 30;

void until(HostContext& host, Picoseconds at) {
    host.compute(at - host.clock());
}

// Sends an empty message at the same moment of each period.
void send(HostContext& host, int messages) {
    Objects objects(host);
    objects.connect("B");
    for (int i = 0; i < messages; ++i) {
        until(host, kBegin + i * kPeriod + 250us);
        expect(objects.qp->Dispatch->NdkSend(objects.qp, nullptr, nullptr, 0, 0) == STATUS_SUCCESS, "a Send");
        NDK_RESULT result{};
        while (objects.cq->Dispatch->NdkGetCqResults(objects.cq, &result, 1) == 0) {
        }
        expect(result.Status == STATUS_SUCCESS, "it succeeds");
    }
}

void receive(HostContext& host) {
    Objects objects(host);
    const auto post = [&] {
        expect(objects.qp->Dispatch->NdkReceive(objects.qp, nullptr, nullptr, 0) == STATUS_SUCCESS, "a receive");
    };
    const auto poll = [&] {
        NDK_RESULT result{};
        return objects.cq->Dispatch->NdkGetCqResults(objects.cq, &result, 1);
    };
    const auto rounds_of = [&](int message) {
        const Picoseconds loop = host.clock() - (kBegin + message * kPeriod) - kPoll;
        expect(loop % kRound == Picoseconds{}, "a loop is a whole number of rounds, and the poll that finds something");
        return loop / kRound;
    };
    post();
    objects.accept();
    std::int64_t rounds = 0;
    for (int i = 0; i < kMessages; ++i) {
        until(host, kBegin + i * kPeriod);
        if (i < 2) {
            while (poll() == 0) {
            }
            rounds = rounds_of(i);
            expect(rounds > 25'000, "the message comes 250 us later");  // more than one loop stands for at the most
        } else {
            // The same rounds, one by one; the third time one less of them.
            const std::int64_t before = rounds - (i == 2 ? 0 : 1);
            for (std::int64_t round = 0; round < before; ++round) {
                host.compute(kRound);
            }
            expect(poll() == (i == 2 ? 1U : 0U), "what a round finds");
            expect(i == 2 || poll() == 1, "and the next one");
            expect(rounds_of(i) == rounds, "all of it at the same time");
        }
        post();
    }
}

TEST_CASE(
    "polls: a loop of empty ones takes the time of all its rounds, and ends with the one that can find something") {
    RunOptions options;
    options.programs = {{"A", [](HostContext& host) { send(host, kMessages); }}, {"B", receive}};
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}})", {"nic.cq_update_every=1"}, options);
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::finished);
}

// Each message is found from a loop over its queue alone, or over one or two others that stay empty as well, which
// begin at different times.
void receive_in_turn(HostContext& host) {
    Objects objects(host);
    std::vector<NDK_CQ*> queues{objects.cq};
    for (int i = 0; i < 2; ++i) {
        Call call(host);
        expect(call.wait(objects.adapter->Dispatch->NdkCreateCq(objects.adapter, 8, nullptr, nullptr, nullptr,
                                                                Call::created, &call, nullptr)) == STATUS_SUCCESS,
               "a CQ is created");
        queues.push_back(reinterpret_cast<NDK_CQ*>(call.object));
    }
    const auto post = [&] {
        expect(objects.qp->Dispatch->NdkReceive(objects.qp, nullptr, nullptr, 0) == STATUS_SUCCESS, "a receive");
    };
    const auto poll_until_found = [&](std::size_t count) {
        NDK_RESULT result{};
        for (std::size_t next = 0;; next = (next + 1) % count) {
            if (queues[next]->Dispatch->NdkGetCqResults(queues[next], &result, 1) > 0) {
                return;
            }
        }
    };
    post();
    objects.accept();
    std::int64_t alone = 0;
    for (int i = 0; i < kMessagesInTurn; ++i) {
        const Picoseconds begun = kBegin + i * kPeriod;
        until(host, begun + i * 5us);
        const std::size_t count = 1 + static_cast<std::size_t>(i) % queues.size();
        poll_until_found(count);
        const std::int64_t rounds = (host.clock() - begun - kPoll) / kRound;
        alone = i == 0 ? rounds : alone;
        expect(rounds >= alone && rounds < alone + static_cast<std::int64_t>(count), "found when its turn comes");
        post();
    }
}

TEST_CASE("polls: a loop over several queues finds what is new within a round of each") {
    RunOptions options;
    options.programs = {{"A", [](HostContext& host) { send(host, kMessagesInTurn); }}, {"B", receive_in_turn}};
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}})", {"nic.cq_update_every=1"}, options);
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::finished);
}

// B can make four stores in the 20 us that a credit takes, so while it posts the receives of one poll again, hundreds
// of the 512 that it began with are used. Of a poll that takes 256 it is to tell the NIC several times, with room for
// one store.
TEST_CASE("polls: a generator takes more than 64 completions with one, whatever room there is for stores") {
    const ChildResult run =
        run_traffic(R"("size": "64 B", "count": 2000, "window": 128, "credits": true, "poll_batch": 256)",
                    {"hosts.B.cpu.store_buffer=1", "hosts.B.cpu.poll_cq=10 ns", "hosts.B.pcie.one_way=10 us",
                     "hosts.B.pcie.bar_posted_headers=4"});
    CHECK(run.metric("traffic.t.messages") == 2000);
    CHECK(run.metric("traffic.t.failed") == 0);
}

}  // namespace ndsim::test::ndk_poll_test
