// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_fate.hpp"
#include "tests/ndapi/ndspi/nd1_link.hpp"

namespace ndsim::test::nd1_listen_test {

constexpr INT kUdp = 17;

void run_alone(const std::function<void(Nd1Party& party)>& program, const std::vector<std::string>& overrides = {}) {
    run_programs([&](Nd1Party& party) { program(party); }, idle, overrides);
}

// A second Listen at the port of the first one, and one when that has gone.
Codes listen_twice(const std::vector<std::string>& overrides = {}) {
    Codes codes;
    run_alone(
        [&](Nd1Party& party) {
            expect(party.listen() == ND_SUCCESS, "the first one");
            Ref<INDListen> second;
            codes.push_back(party.adapter->Listen(0, kTcp, htons(5000), nullptr, second.put()));
            party.listens.reset();
            party.os.sleep(1);
            codes.push_back(party.adapter->Listen(0, kTcp, htons(5000), nullptr, second.put()));
        },
        overrides);
    return codes;
}

TEST_CASE("nd1: Listen knows two protocols, and must be able to tell the port that it picks", "[R138]") {
    Codes codes;
    USHORT assigned = 0;
    USHORT repeated = 0;
    run_alone([&](Nd1Party& party) {
        INDAdapter& adapter = *party.adapter;
        Ref<INDListen> none;
        Ref<INDListen> any;
        Ref<INDListen> named;
        codes = {adapter.Listen(0, 0, htons(5000), nullptr, none.put()),
                 adapter.Listen(0, 1, htons(5000), nullptr, none.put()),
                 adapter.Listen(0, kTcp, 0, nullptr, none.put()), adapter.Listen(0, kUdp, 0, &assigned, any.put()),
                 adapter.Listen(0, kTcp, htons(5000), &repeated, named.put())};
    });
    CHECK(codes ==
          Codes{ND_INVALID_PARAMETER_2, ND_INVALID_PARAMETER_2, ND_INVALID_PARAMETER_MIX, ND_SUCCESS, ND_SUCCESS});
    CHECK(ntohs(assigned) >= 49152);  // in network byte order, as ports are in version 1
    CHECK(ntohs(repeated) == 5000);
}

TEST_CASE("nd1: a port has one Listen", "[R133]") {
    CHECK(listen_twice() == Codes{ND_ADDRESS_ALREADY_EXISTS, ND_SUCCESS});
}

TEST_CASE("nd1: a port has one Listen, by the field's code", "[R133]") {
    CHECK(listen_twice(kInfiniband) == Codes{STATUS_ADDRESS_ALREADY_ASSOCIATED, ND_SUCCESS});
}

TEST_CASE("nd1: of several GetConnectionRequest each Connect completes one, in their order", "[R134]") {
    Codes after_first;
    Codes after_second;
    run_programs(
        [](Nd1Party& a) {
            a.be_active("B");
            until_ms(a.os, 5);
            Nd1Link link(a);
            link.be_active("B");
            until_ms(a.os, 12);
        },
        [&](Nd1Party& b) {
            b.need_endpoint();
            Nd1Link link(b);
            expect(b.listen() == ND_SUCCESS, "it listens");
            Nd1Call first(b.os);
            Nd1Call second(b.os);
            expect(b.listens->GetConnectionRequest(b.connector.get(), &first.overlapped) == ND_PENDING &&
                       b.listens->GetConnectionRequest(link.connector.get(), &second.overlapped) == ND_PENDING,
                   "two wait");
            expect(first.end(*b.listens) == ND_SUCCESS && b.accept() == ND_SUCCESS, "the first connection");
            until_ms(b.os, 4);
            after_first = {first.now(*b.listens), second.now(*b.listens)};
            expect(second.end(*b.listens) == ND_SUCCESS, "the second request");
            Nd1Call accept(b.os);
            after_second = {accept.end(*link.connector,
                                       link.connector->Accept(link.endpoint.get(), nullptr, 0, &accept.overlapped))};
            until_ms(b.os, 10);
        });
    CHECK(after_first == Codes{ND_SUCCESS, ND_PENDING});
    CHECK(after_second == Codes{ND_SUCCESS});
}

TEST_CASE("nd1: releasing a Listen ends its GetConnectionRequest", "[R135][R142]") {
    HRESULT status = ND_PENDING;
    run_alone([&](Nd1Party& party) {
        Nd1Call call(party.os);
        expect(party.listen() == ND_SUCCESS, "it listens");
        expect(party.listens->GetConnectionRequest(party.connector.get(), &call.overlapped) == ND_PENDING, "it waits");
        party.listens.reset();
        status = static_cast<HRESULT>(call.overlapped.Internal);  // where GetOverlappedResult would have found it
    });
    CHECK(status == ND_CANCELED);
}

TEST_CASE("nd1: a request goes to a fresh connector of this adapter", "[R134]") {
    Codes codes;
    run_nd1_pair({}, {.program = [&](Nd1Party& b) {
                     Ref<INDAdapter> other;
                     b.open(other);
                     Ref<INDConnector> foreign;
                     expect(other->CreateConnector(foreign.put()) == ND_SUCCESS, "a connector of another adapter");
                     codes = {b.listens->GetConnectionRequest(foreign.get(), &b.call.overlapped),
                              b.listens->GetConnectionRequest(nullptr, &b.call.overlapped),
                              b.listens->GetConnectionRequest(b.connector.get(), &b.call.overlapped)};
                 }});
    CHECK(codes == Codes{ND_INVALID_PARAMETER_1, ND_INVALID_PARAMETER_1, ND_CONNECTION_ACTIVE});
}

}  // namespace ndsim::test::nd1_listen_test
