// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_read_limits_test {

// Read limits as a connector tells them: of the Reads that come, of those that go.
struct Limits {
    HRESULT status = ND_PENDING;
    ULONG inbound = 0;
    ULONG outbound = 0;
};
Limits limits_of(IND2Connector& connector) {
    Limits limits;
    limits.status = connector.GetReadLimits(&limits.inbound, &limits.outbound);
    return limits;
}

// A connects with these wishes, B accepts with others.
struct Wishes {
    ULONG inbound = 0;
    ULONG outbound = 0;
};
struct Agreed {
    Limits at_b;  // before B accepts
    Limits at_a;  // before A completes
    ULONG most_inbound = 0;
    ULONG most_outbound = 0;
};
using InConnection = std::function<void(Nd2Party& party, const Nd2Place& peer)>;

Agreed agree(const Wishes& a_wishes, const Wishes& b_wishes, const InConnection& a_does = {},
             const InConnection& b_does = {}) {
    Agreed agreed;
    Nd2Place at_a;
    Nd2Place at_b;
    run_nd2(
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party a(host, os, kRemoteRights);
            at_a = a.place();
            agreed.most_inbound = info_of(a).MaxInboundReadLimit;
            agreed.most_outbound = info_of(a).MaxOutboundReadLimit;
            os.sleep(1);
            expect(a.connect("B", 5000, a_wishes.inbound, a_wishes.outbound) == ND_SUCCESS, "B accepts");
            agreed.at_a = limits_of(*a.connector.get());
            expect(a.complete() == ND_SUCCESS, "a connection");
            until_ms(os, 4);
            if (a_does) {
                a_does(a, at_b);
            }
            until_ms(os, 10);
        },
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party b(host, os, kRemoteRights);
            at_b = b.place();
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            agreed.at_b = limits_of(*b.connector.get());
            expect(b.accept(b_wishes.inbound, b_wishes.outbound) == ND_SUCCESS, "a connection");
            if (b_does) {
                b_does(b, at_a);
            }
            until_ms(os, 10);
        });
    return agreed;
}

// A offers to serve three Reads and to send two, B to serve five and to send four. B hears of A's wishes crosswise; A
// hears that B sends three at most, which is what A serves, and serves two at most, which is what A sends.
TEST_CASE("nd2: read limits are told crosswise, each the lesser of the two wishes", "[R129]") {
    const Agreed agreed = agree({3, 2}, {5, 4});
    CHECK(agreed.at_b.status == ND_SUCCESS);
    CHECK(agreed.at_b.inbound == 2);
    CHECK(agreed.at_b.outbound == 3);
    CHECK(agreed.at_a.status == ND_SUCCESS);
    CHECK(agreed.at_a.inbound == 3);
    CHECK(agreed.at_a.outbound == 2);
}

// Both hosts have the same adapter.
TEST_CASE("nd2: read limits above the adapter's are lowered to them", "[R129][B9]") {
    const Agreed agreed = agree({1'000'000, 1'000'000}, {1'000'000, 1'000'000});
    const ULONG most = std::min(agreed.most_inbound, agreed.most_outbound);
    CHECK(most > 0);
    CHECK(agreed.at_b.inbound == most);
    CHECK(agreed.at_b.outbound == most);
    CHECK(agreed.at_a.inbound == most);
    CHECK(agreed.at_a.outbound == most);
}

// A may send eight, B serves one: A's eight Reads go one by one. What posting and polling take is less than half of a
// single Read, so they take more than four times as long as that; two at a time they would not.
TEST_CASE("nd2: a side sends no more Reads than its peer serves", "[R129][R121]") {
    Endings at_a;
    std::uint64_t one = 0;
    std::uint64_t eight = 0;
    agree({4, 8}, {1, 4}, [&](Nd2Party& a, const Nd2Place& b) {
        for (int i = 0; i < 2; ++i) {  // the first one finds the NIC's caches empty
            const std::uint64_t begun = a.os.nanoseconds();
            expect(a.read(64, b) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a single Read");
            one = a.os.nanoseconds() - begun;
        }
        const std::uint64_t begun = a.os.nanoseconds();
        for (std::uintptr_t i = 1; i <= 8; ++i) {
            expect(a.read(64, b, 0, context(i)) == ND_SUCCESS, "a Read");
        }
        at_a = next(a, 8);
        eight = a.os.nanoseconds() - begun;
    });
    REQUIRE(at_a.size() == 8);
    CHECK(std::all_of(at_a.begin(), at_a.end(), [](const Ended& each) { return each.status == ND_SUCCESS; }));
    CHECK(eight > 4 * one);
}

// With a limit of 0 a Read can never begin, and ends the connection (ndspi.md 5.13).
TEST_CASE("nd2: who accepts with more Reads than the peer serves is lowered, down to none", "[R130]") {
    Endings at_b;
    const Agreed agreed = agree({0, 4}, {4, 4}, {}, [&](Nd2Party& b, const Nd2Place& a) {
        expect(b.read(64, a, 0, context(1)) == ND_SUCCESS, "a Read");
        expect(b.send(64, 0, context(2)) == ND_SUCCESS, "a Send behind it");
        at_b = next(b, 2);
    });
    CHECK(agreed.at_b.inbound == 4);
    CHECK(agreed.at_b.outbound == 0);
    CHECK(agreed.at_a.inbound == 0);
    CHECK(agreed.at_a.outbound == 4);
    CHECK(at_b == Endings{{kRead, ND_INVALID_DEVICE_REQUEST, 1}, {kSend, ND_CANCELED, 2}});
}

TEST_CASE("nd2: a connector without a connection has no read limits", "[R129]") {
    HRESULT status = ND_PENDING;
    run_nd2([&](Nd2Party& a) { status = limits_of(*a.connector.get()).status; }, idle);
    CHECK(status == ND_CONNECTION_INVALID);
}

}  // namespace ndsim::test::nd2_read_limits_test
