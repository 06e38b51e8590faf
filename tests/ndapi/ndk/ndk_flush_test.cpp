// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_flush_test {

using namespace std::chrono_literals;

constexpr ULONG kPeerMayWrite = NDK_MR_FLAG_ALLOW_REMOTE_WRITE;

// Requests that were accepted, and the completions of each.
class Accepted {
public:
    explicit Accepted(Party& party) : party_(party) {}

    [[nodiscard]] PVOID next_context() { return &completions_.at(count_); }
    bool note(NTSTATUS posted) {
        count_ += posted == STATUS_SUCCESS ? 1 : 0;
        return posted == STATUS_SUCCESS;
    }
    void poll() {
        std::array<NDK_RESULT, 16> results{};
        const ULONG count = party_.cq->Dispatch->NdkGetCqResults(party_.cq, results.data(), results.size());
        for (ULONG i = 0; i < count; ++i) {
            ++*static_cast<int*>(results.at(i).RequestContext);
            successes_ += results.at(i).Status == STATUS_SUCCESS ? 1 : 0;
        }
    }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] int successes() const { return successes_; }
    [[nodiscard]] bool each_completed_once() const {
        return std::all_of(completions_.begin(), completions_.begin() + static_cast<std::ptrdiff_t>(count_),
                           [](int completions) { return completions == 1; }) &&
               std::all_of(completions_.begin() + static_cast<std::ptrdiff_t>(count_), completions_.end(),
                           [](int completions) { return completions == 0; });
    }

private:
    Party& party_;
    std::size_t count_ = 0;
    int successes_ = 0;
    std::array<int, 256> completions_{};
};

// A keeps eight Writes of 16 KiB outstanding, each of 1.3 us on the lane, with several on their way at any time. After
// 10 us a callback stops the queue pair by `stop`; with each run 140 ns later, which is as long as a post takes.
void stop_during_posts(void (*stop)(Party&)) {
    struct Stop {
        Party& party;
        void (*stop)(Party&);
        bool done = false;
    };
    for (int late = 0; late < 10; ++late) {
        const Side a{.program = [&](Party& party, const Place& peer) {
            Accepted accepted(party);
            for (int i = 0; i < 4; ++i) {
                const NDK_SGE sge = party.piece(64);
                accepted.note(party.qp->Dispatch->NdkReceive(party.qp, accepted.next_context(), &sge, 1));
            }
            Stop context{party, stop};
            NDK_MR* region = nullptr;
            expect(party.pd->Dispatch->NdkCreateMr(party.pd, TRUE, nullptr, nullptr, &region) == STATUS_SUCCESS,
                   "an MR, whose initialisation ends with a callback");
            const auto callback = [](PVOID which, NTSTATUS) {
                auto& inside = *static_cast<Stop*>(which);
                inside.stop(inside.party);
                inside.done = true;
            };
            const Picoseconds stops = party.host.clock() + 10us + late * 140ns;
            bool asked = false;
            std::size_t before = 0;
            for (int after = 0; after < 20; after += context.done ? 1 : 0) {
                if (!asked && party.host.clock() >= stops) {
                    asked = true;
                    expect(region->Dispatch->NdkInitializeFastRegisterMr(region, 1, FALSE, callback, &context) ==
                               STATUS_PENDING,
                           "it pends");
                }
                const NDK_SGE sge = party.piece(16 * 1024);
                accepted.note(party.qp->Dispatch->NdkWrite(party.qp, accepted.next_context(), &sge, 1, peer.address,
                                                           peer.token, 0));
                before = context.done ? before : accepted.count();
                accepted.poll();
            }
            expect(before > 12 && accepted.successes() > 0, "it was in the middle of its work");
            for (int i = 0; i < 10; ++i) {
                party.host.sleep(20us);
                accepted.poll();
            }
            expect(accepted.each_completed_once(), "a completion for each request that was accepted, and no other");
        }};
        run_connected_pair(a, {kPeerMayWrite});
    }
}

TEST_CASE("flush: during a post it does no harm, each accepted request completes once", "[K26]") {
    stop_during_posts([](Party& party) { party.qp->Dispatch->NdkFlush(party.qp); });
}

TEST_CASE("close: of the connector during a post it does no harm, each accepted request completes once", "[K26]") {
    stop_during_posts([](Party& party) {
        party.connector->Dispatch->NdkCloseConnector(
            &party.connector->Header, [](PVOID) {}, nullptr);
    });
}

// Four Writes of 256 KiB take 21 us each at 100 Gbps, so most of them are under way. The NIC learns of the flush across
// PCIe: no completion can be there when the call returns.
TEST_CASE("flush: it returns before the completions are there, which come one for each request", "[K148]") {
    run_connected_pair({.program =
                            [](Party& a, const Place& peer) {
                                for (int i = 0; i < 8; ++i) {
                                    expect(a.receive(64) == STATUS_SUCCESS, "a receive");
                                }
                                for (int i = 0; i < 4; ++i) {
                                    expect(a.write(256 * 1024, peer) == STATUS_SUCCESS, "a Write");
                                }
                                a.host.sleep(10us);
                                a.qp->Dispatch->NdkFlush(a.qp);
                                expect(a.poll().empty(), "nothing is over yet");
                                int receives = 0;
                                int writes = 0;
                                while (receives + writes < 12) {
                                    const NDK_RESULT_EX result = a.next();
                                    expect(result.Status == STATUS_CANCELLED, "cancelled");
                                    ++(result.Type == NdkOperationTypeReceive ? receives : writes);
                                }
                                expect(receives == 8 && writes == 4, "one completion for each");
                                a.host.sleep(100us);
                                expect(a.poll().empty(), "and then it is over");
                            }},
                       {kPeerMayWrite});
}

// Both queue pairs of A complete to one CQ. When the first is flushed, the second has a Write under way (1 MiB is more
// than 80 us) and a receive, which a message of B takes later.
TEST_CASE("flush: requests of another queue pair on the same CQ are left alone", "[K149]") {
    Place at_b;
    run_pair(
        [&](Party& a) {
            a.be_active("B");
            NDK_QP* const first = a.qp;
            NDK_QP* const second = a.new_qp();
            NDK_CONNECTOR* const connector = a.new_connector();
            expect(a.connect(connector, second, "B", 4000) == STATUS_SUCCESS, "another connection");
            expect(a.complete(connector) == STATUS_SUCCESS, "is made");
            a.host.sleep(1ms - a.host.clock());
            expect(a.receive(64) == STATUS_SUCCESS, "a receive of the first");
            a.qp = second;
            expect(a.receive(64) == STATUS_SUCCESS, "a receive of the second");
            expect(a.write(1U << 20U, at_b) == STATUS_SUCCESS, "a Write of the second");
            a.host.sleep(20us);
            first->Dispatch->NdkFlush(first);
            const NDK_RESULT_EX flushed = a.next();
            expect(flushed.Status == STATUS_CANCELLED && flushed.Type == NdkOperationTypeReceive, "the first's");
            const NDK_RESULT_EX written = a.next();
            expect(written.Status == STATUS_SUCCESS && written.Type == NdkOperationTypeWrite, "the second's Write");
            a.host.sleep(1ms);
            expect(a.poll().empty(), "the second's receive waits");
            const NDK_RESULT_EX received = a.next();
            expect(received.Status == STATUS_SUCCESS && received.BytesTransferred == 32, "until its message comes");
            a.host.sleep(5ms - a.host.clock());
        },
        [&](HostContext& host) {
            Party b(host, {2, 1}, kPeerMayWrite);
            at_b = b.place();
            b.be_passive();
            b.qp = b.new_qp();
            expect(b.accept(b.next_offered(), b.qp) == STATUS_SUCCESS, "another connection");
            host.sleep(3ms - host.clock());
            expect(b.send(32) == STATUS_SUCCESS, "a Send on it");
            host.sleep(5ms - host.clock());
        });
}

}  // namespace ndsim::test::ndk_flush_test
