// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_counters_test {

using namespace std::chrono_literals;

// By the numbers of ndkpi.md 2.7, which are those of the bits of MissingCounterMask.
using Counters = std::array<ULONG64, 30>;
constexpr std::array kKept{0, 1, 2, 3, 4, 25, 26, 27, 28, 29};

Counters counters_of(HostContext& host) {
    const NDIS_NDK_PERFORMANCE_COUNTERS reported = host.ndk_statistics();
    Counters counters{};
    static_assert(sizeof counters == sizeof reported);
    std::memcpy(counters.data(), &reported, sizeof reported);
    return counters;
}

// Five completions for a queue of two.
void overrun_a_cq(Party& party) {
    NDK_CQ* const usual = party.cq;
    party.make(party.cq, [&](Call& call, NDK_CQ** out) {
        return party.adapter->Dispatch->NdkCreateCq(party.adapter, 2, nullptr, nullptr, nullptr, Call::created, &call,
                                                    out);
    });
    NDK_QP* const qp = party.new_qp();
    for (int i = 0; i < 5; ++i) {
        expect(qp->Dispatch->NdkReceive(qp, nullptr, nullptr, 0) == STATUS_SUCCESS, "a receive");
    }
    qp->Dispatch->NdkFlush(qp);
    party.cq = usual;
}

// A has a connect refused, one accepted, and a CQ that overruns; B accepts, and is left without a disconnect.
TEST_CASE("counters: those that the NIC says it keeps move, the others are 0", "[K208]") {
    run_pair(
        [](Party& a) {
            a.host.sleep(100us);
            a.connector = a.new_connector();
            expect(a.connect(a.connector, a.qp, "B", 4001) == STATUS_CONNECTION_REFUSED, "nobody listens there");
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_SUCCESS, "B accepts");
            expect(a.complete(a.connector) == STATUS_SUCCESS, "done");
            overrun_a_cq(a);
            expect(a.write(0, {}) == STATUS_SUCCESS, "a Write");
            expect(a.next().Status == STATUS_SUCCESS, "of nothing, which is acknowledged");
            a.host.sleep(2ms - a.host.clock());
            NDK_ADAPTER_INFO info{};
            const NDIS_NDK_CAPABILITIES capabilities = a.host.ndk_capabilities(info);
            expect(capabilities.NdkInfo == &info && info.FRMRPageCount > 0, "with the adapter's limits");
            expect(capabilities.MissingCounterMask == 0, "no counter is missing");
            const Counters counters = counters_of(a.host);
            for (std::size_t i = 0; i < counters.size(); ++i) {
                const bool kept = std::find(kKept.begin(), kKept.end(), static_cast<int>(i)) != kKept.end();
                // 1 and 3, Accept and ConnectionError, are B's.
                expect((counters.at(i) > 0) == (kept && i != 1 && i != 3), "counter " + std::to_string(i));
            }
            a.close(a.connector);
            a.host.sleep(5ms - a.host.clock());
        },
        [](Party& b) {
            b.be_passive();
            b.left.wait("A to leave");
            NDK_ADAPTER_INFO info{};
            expect(b.host.ndk_capabilities(info).MissingCounterMask == 0, "no counter is missing");
            const Counters counters = counters_of(b.host);
            expect(counters[1] == 1 && counters[3] == 1, "an accept, and an error of the connection");
            b.host.sleep(5ms - b.host.clock());
        });
}

TEST_CASE("counters: octets are those of the frames with layer 2", "[K208][K210]") {
    run_pair(
        [](Party& a) {
            a.be_active("B");
            a.host.sleep(100us);
            const NDIS_NDK_PERFORMANCE_COUNTERS before = a.host.ndk_statistics();
            expect(a.send(1000) == STATUS_SUCCESS, "a Send");
            a.host.sleep(100us);
            const NDIS_NDK_PERFORMANCE_COUNTERS after = a.host.ndk_statistics();
            // Ethernet 14, IPv4 20, UDP 8, BTH 12, payload 1000, ICRC 4, FCS 4.
            expect(after.RDMAOutFrames - before.RDMAOutFrames == 1, "one packet");
            expect(after.RDMAOutOctets - before.RDMAOutOctets == 1062, "1062 bytes");
            // The ACK: 14 + 20 + 8 + 12 + 4 of AETH + 4 + 4.
            expect(after.RDMAInFrames - before.RDMAInFrames == 1, "one ACK");
            expect(after.RDMAInOctets - before.RDMAInOctets == 66, "66 bytes");
            for (const ULONG64 reserved : after.Reserved) {
                expect(reserved == 0, "reserved counters are 0");
            }
            expect(a.poll() == std::vector<NTSTATUS>{STATUS_SUCCESS}, "it has arrived");
            a.close_all();
        },
        [](Party& b) {
            b.be_passive();
            expect(b.receive(1000) == STATUS_SUCCESS, "a receive");
            b.left.wait("A to close");
            b.close_all();
        });
}

}  // namespace ndsim::test::ndk_counters_test
