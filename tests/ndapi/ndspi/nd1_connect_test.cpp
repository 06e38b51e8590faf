// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_fate.hpp"

// How connections come about, or do not. B listens at port 5000 from the beginning, A starts at 1 ms or later.

namespace ndsim::test::nd1_connect_test {

using Act = std::function<void(Nd1Party& party)>;

// Programs with an endpoint each. What B has stays until 15 ms.
void run_parties(const Act& a, const Act& b, const std::vector<std::string>& overrides = {}) {
    run_programs(
        [&](Nd1Party& party) {
            party.need_endpoint();
            until_ms(party.os, 1);
            a(party);
        },
        [&](Nd1Party& party) {
            party.need_endpoint();
            b(party);
            until_ms(party.os, 15);
        },
        overrides);
}

// B's Accept ends so when A has had its answer and then does this.
HRESULT accept_ends_by(const Act& act, const std::vector<std::string>& overrides = {}) {
    HRESULT accepted = ND_PENDING;
    run_parties(
        [&](Nd1Party& a) {
            expect(a.connect("B") == ND_SUCCESS, "B has accepted");
            act(a);
            until_ms(a.os, 10);
        },
        [&](Nd1Party& b) {
            expect(b.listen() == ND_SUCCESS && b.next_request(*b.connector) == ND_SUCCESS, "a request");
            accepted = b.accept();
        },
        overrides);
    return accepted;
}

const Act kReject = [](Nd1Party& a) { expect(a.connector->Reject(nullptr, 0) == ND_SUCCESS, "A says no after all"); };
const Act kRelease = [](Nd1Party& a) { a.connector.reset(); };

// B accepts at 5 ms, A completes at 9 ms.
TEST_CASE("nd1: Connect ends with Accept, and Accept with CompleteConnect", "[R123][R137]") {
    std::uint64_t asked = 0;
    std::uint64_t answered = 0;
    std::uint64_t accepted = 0;
    Codes codes;
    run_parties(
        [&](Nd1Party& a) {
            codes.push_back(a.connect("B"));
            answered = a.os.nanoseconds();
            until_ms(a.os, 9);
            codes.push_back(a.complete());
        },
        [&](Nd1Party& b) {
            expect(b.listen() == ND_SUCCESS && b.next_request(*b.connector) == ND_SUCCESS, "a request");
            asked = b.os.nanoseconds();
            until_ms(b.os, 5);
            codes.push_back(b.accept());
            accepted = b.os.nanoseconds();
        });
    CHECK(codes == Codes(3, ND_SUCCESS));
    CHECK(asked < 5'000'000);
    CHECK(answered >= 5'000'000);
    CHECK(answered < 9'000'000);
    CHECK(accepted >= 9'000'000);
}

// Half a second each, of which the NICs are told nothing.
TEST_CASE("nd1: programs may take their time to accept and to complete", "[R137]") {
    Codes codes;
    run_parties(
        [&](Nd1Party& a) {
            codes.push_back(a.connect("B"));
            a.os.sleep(500);
            codes.push_back(a.complete());
        },
        [&](Nd1Party& b) {
            expect(b.listen() == ND_SUCCESS && b.next_request(*b.connector) == ND_SUCCESS, "a request");
            b.os.sleep(500);
            codes.push_back(b.accept());
        });
    CHECK(codes == Codes(3, ND_SUCCESS));
}

// B begins to listen at 4 ms, rejects what comes first, and accepts what comes then.
TEST_CASE("nd1: a Connect that is refused may be tried again on its connector", "[R124]") {
    Codes codes;
    run_parties(
        [&](Nd1Party& a) {
            codes.push_back(a.connect("B"));
            until_ms(a.os, 6);
            codes.push_back(a.connect("B"));
            codes.push_back(a.connect("B"));
            codes.push_back(a.complete());
        },
        [&](Nd1Party& b) {
            until_ms(b.os, 4);
            expect(b.listen() == ND_SUCCESS, "it listens");
            Ref<INDConnector> first;
            b.make_connector(first);
            expect(b.next_request(*first) == ND_SUCCESS && first->Reject(nullptr, 0) == ND_SUCCESS, "it rejects");
            expect(b.next_request(*b.connector) == ND_SUCCESS && b.accept() == ND_SUCCESS, "it accepts");
        });
    CHECK(codes == Codes{ND_CONNECTION_REFUSED, ND_CONNECTION_REFUSED, ND_SUCCESS, ND_SUCCESS});
}

TEST_CASE("nd1: a Connect that finds the backlog full is refused", "[R124]") {
    Codes codes;
    run_parties(
        [&](Nd1Party& a) {
            Ref<INDConnector> connector;
            a.make_connector(connector);
            Ref<INDEndpoint> endpoint;
            expect(a.make_endpoint(endpoint, *connector) == ND_SUCCESS, "another endpoint");
            const sockaddr_in to = a.address("B", 5000);
            Nd1Call call(a.os);
            expect(connector->Connect(endpoint.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, kTcp, 0,
                                      nullptr, 0, &call.overlapped) == ND_PENDING,
                   "the one that fits in");
            a.os.sleep(1);
            codes.push_back(a.connect("B"));
            codes.push_back(call.now(*connector));
            expect(connector->CancelOverlappedRequests() == ND_SUCCESS, "it is given up");
            codes.push_back(call.now(*connector));
        },
        [&](Nd1Party& b) { expect(b.listen(5000, 1) == ND_SUCCESS, "it listens, and takes nothing"); });
    CHECK(codes == Codes{ND_CONNECTION_REFUSED, ND_PENDING, ND_CANCELED});
}

// B's program looks after 3 ms, when the first attempt is over; the second one comes at 6 ms.
TEST_CASE("nd1: a Connect that nobody answers times out, and may be tried again", "[R125]") {
    Codes codes;
    Codes accepts;
    run_parties(
        [&](Nd1Party& a) {
            codes.push_back(a.connect("B"));
            until_ms(a.os, 6);
            codes.push_back(a.connect("B"));
            codes.push_back(a.complete());
        },
        [&](Nd1Party& b) {
            expect(b.listen() == ND_SUCCESS, "it listens");
            until_ms(b.os, 4);
            Ref<INDConnector> late;
            b.make_connector(late);
            Ref<INDEndpoint> endpoint;
            expect(b.make_endpoint(endpoint, *late) == ND_SUCCESS, "an endpoint");
            expect(b.next_request(*late) == ND_SUCCESS, "the request of the first attempt");
            accepts.push_back(b.call.end(*late, late->Accept(endpoint.get(), nullptr, 0, &b.call.overlapped)));
            expect(b.next_request(*b.connector) == ND_SUCCESS, "that of the second");
            accepts.push_back(b.accept());
        },
        {"nic.connect_timeout=1 ms"});
    CHECK(codes == Codes{ND_TIMEOUT, ND_SUCCESS, ND_SUCCESS});
    CHECK(accepts == Codes{ND_CONNECTION_ABORTED, ND_SUCCESS});
}

TEST_CASE("nd1: an Accept whose peer rejects is aborted", "[R126]") {
    CHECK(accept_ends_by(kReject) == ND_CONNECTION_ABORTED);
}

TEST_CASE("nd1: an Accept whose peer rejects is refused in the field", "[R126]") {
    CHECK(accept_ends_by(kReject, kInfiniband) == ND_CONNECTION_REFUSED);
}

TEST_CASE("nd1: an Accept whose peer goes is refused in the field", "[R126]") {
    CHECK(accept_ends_by(kRelease, kInfiniband) == ND_CONNECTION_REFUSED);
}

TEST_CASE("nd1: an endpoint serves no other connector than its own", "[R15]") {
    Codes codes;
    run_parties(
        [&](Nd1Party& a) {
            Ref<INDConnector> other;
            a.make_connector(other);
            const sockaddr_in to = a.address("B", 5000);
            codes = {other->Connect(a.endpoint.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, kTcp, 0,
                                    nullptr, 0, &a.call.overlapped),
                     other->Connect(nullptr, reinterpret_cast<const sockaddr*>(&to), sizeof to, kTcp, 0, nullptr, 0,
                                    &a.call.overlapped),
                     other->Accept(a.endpoint.get(), nullptr, 0, &a.call.overlapped)};
            codes.push_back(a.connect("B"));
            codes.push_back(a.complete());
        },
        [](Nd1Party& b) { b.be_passive(); });
    CHECK(codes ==
          Codes{ND_INVALID_PARAMETER_1, ND_INVALID_PARAMETER_1, ND_INVALID_PARAMETER_1, ND_SUCCESS, ND_SUCCESS});
}

TEST_CASE("nd1: a connector that is busy connects to nobody else", "[R136]") {
    Codes codes;
    run_parties(
        [&](Nd1Party& a) {
            const sockaddr_in to = a.address("B", 5000);
            Nd1Call second(a.os);
            const auto connect = [&](Nd1Call& call) {
                return a.connector->Connect(a.endpoint.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, kTcp,
                                            0, nullptr, 0, &call.overlapped);
            };
            const HRESULT first = connect(a.call);
            codes = {first, connect(second)};
            codes.push_back(a.call.end(*a.connector));
            codes.push_back(connect(second));
            codes.push_back(a.complete());
            codes.push_back(connect(second));
        },
        [](Nd1Party& b) { b.be_passive(); });
    CHECK(codes ==
          Codes{ND_PENDING, ND_CONNECTION_ACTIVE, ND_SUCCESS, ND_CONNECTION_ACTIVE, ND_SUCCESS, ND_CONNECTION_ACTIVE});
}

// An address with all bits the other way round is in another network.
TEST_CASE("nd1: a Connect that cannot lead anywhere is refused at once", "[B13]") {
    Codes codes;
    run_parties(
        [&](Nd1Party& a) {
            sockaddr_in to = a.address("B", 5000);
            const auto connect = [&](INT protocol, SIZE_T length) {
                return a.connector->Connect(a.endpoint.get(), reinterpret_cast<const sockaddr*>(&to), length, protocol,
                                            0, nullptr, 0, &a.call.overlapped);
            };
            codes = {connect(1, sizeof to), connect(-1, sizeof to), connect(kTcp, 4)};
            to.sin_addr.s_addr = ~to.sin_addr.s_addr;
            codes.push_back(connect(kTcp, sizeof to));
        },
        [](Nd1Party&) {});
    CHECK(codes == Codes{ND_INVALID_PARAMETER_4, ND_INVALID_PARAMETER_4, ND_INVALID_ADDRESS, ND_NETWORK_UNREACHABLE});
}

}  // namespace ndsim::test::nd1_connect_test
