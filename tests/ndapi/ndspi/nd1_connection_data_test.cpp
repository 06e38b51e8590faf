// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "tests/ndapi/ndspi/nd1_pair.hpp"

// What the sides of a connection tell each other: private data, limits of Reads, addresses.

namespace ndsim::test::nd1_connection_data_test {

using Act = std::function<void(Nd1Party& party)>;

// Parties without endpoints; A starts at 1 ms.
void run_parties(const Act& a, const Act& b) {
    run_programs(
        [&](Nd1Party& party) {
            until_ms(party.os, 1);
            a(party);
        },
        [&](Nd1Party& party) {
            b(party);
            until_ms(party.os, 15);
        });
}

struct Reads {
    SIZE_T inbound = 99;
    SIZE_T outbound = 99;
    bool operator==(const Reads&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Reads& limits) {
    return out << limits.inbound << " in, " << limits.outbound << " out";
}
Reads limits_of(Nd1Party& party) {
    Reads limits;
    expect(party.connector->GetConnectionData(&limits.inbound, &limits.outbound, nullptr, nullptr) == ND_SUCCESS,
           "there are limits");
    return limits;
}
void make_endpoint(Nd1Party& party, const Reads& reads) {
    expect(party.connector->CreateEndpoint(party.inbound.get(), party.outbound.get(), 8, 8, 2, 2, reads.inbound,
                                           reads.outbound, nullptr, party.endpoint.put()) == ND_SUCCESS,
           "an endpoint");
}

// The limits that B is told of, and A then.
struct Told {
    Reads b;
    Reads a;
};
Told exchange_limits(const Reads& a_wants, const std::optional<Reads>& b_wants) {
    Told told;
    run_parties(
        [&](Nd1Party& a) {
            make_endpoint(a, a_wants);
            expect(a.connect("B") == ND_SUCCESS, "B accepts");
            told.a = limits_of(a);
            expect(a.complete() == ND_SUCCESS, "it is completed");
            until_ms(a.os, 10);
        },
        [&](Nd1Party& b) {
            expect(b.listen() == ND_SUCCESS && b.next_request(*b.connector) == ND_SUCCESS, "a request");
            told.b = limits_of(b);
            make_endpoint(b, b_wants.value_or(told.b));
            expect(b.accept() == ND_SUCCESS, "it is accepted");
        });
    return told;
}

const std::string kHello = "hello from A";
const std::string kAnswer = "B says yes, and more than that";

// What GetConnectionData puts into a buffer of this size.
struct Data {
    HRESULT code = ND_PENDING;
    SIZE_T size = 0;
    std::string text;
};
Data data_of(Nd1Party& party, SIZE_T room) {
    Data data;
    std::string buffer(64, '.');
    data.size = room;
    data.code = party.connector->GetConnectionData(nullptr, nullptr, room > 0 ? buffer.data() : nullptr, &data.size);
    data.text = buffer.substr(0, room + 1);
    return data;
}

HRESULT connect_with(Nd1Party& a, std::string_view data) {
    const sockaddr_in to = a.address("B", 5000);
    return a.call.end(*a.connector,
                      a.connector->Connect(a.endpoint.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, kTcp, 0,
                                           data.data(), data.size(), &a.call.overlapped));
}
HRESULT accept_with(Nd1Party& b, std::string_view data) {
    return b.call.end(*b.connector,
                      b.connector->Accept(b.endpoint.get(), data.data(), data.size(), &b.call.overlapped));
}

// B takes what it is told: the peer's limits crosswise.
TEST_CASE("nd1: the listening side may make its endpoint with the limits that it is told", "[R129][R131]") {
    const Told told = exchange_limits({2, 5}, {});
    CHECK(told.b == Reads{5, 2});
    CHECK(told.a == Reads{2, 5});
}

// B wants 3 inbound of the 5 that A offers, and 1 outbound of 2.
TEST_CASE("nd1: of both sides' limits the lesser hold", "[R129]") {
    const Told told = exchange_limits({2, 5}, Reads{3, 1});
    CHECK(told.b == Reads{5, 2});
    CHECK(told.a == Reads{1, 3});
}

TEST_CASE("nd1: an Accept that wants more than there is gets what there is", "[R130]") {
    const Told told = exchange_limits({0, 4}, Reads{16, 4});
    CHECK(told.b == Reads{4, 0});
    CHECK(told.a == Reads{0, 4});
}

// A may have four Reads under way, and B serves one at a time.
TEST_CASE("nd1: Reads above the limit wait, and all complete in order", "[R58][R121][R131]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    run_parties(
        [&](Nd1Party& a) {
            make_endpoint(a, {4, 4});
            expect(a.connect("B") == ND_SUCCESS && a.complete() == ND_SUCCESS, "a connection");
            until_ms(a.os, 3);
            for (std::size_t number = 1; number <= 6; ++number) {
                expect(a.read(number, 65536, open) == ND_SUCCESS, "a Read");
            }
            at_a = a.ended(6);
        },
        [&](Nd1Party& b) {
            expect(b.listen() == ND_SUCCESS && b.next_request(*b.connector) == ND_SUCCESS, "a request");
            make_endpoint(b, {1, 1});
            expect(b.accept() == ND_SUCCESS, "it is accepted");
            open = b.open_window(0, 65536).descriptor;
        });
    CHECK(
        at_a ==
        Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}, {4, ND_SUCCESS}, {5, ND_SUCCESS}, {6, ND_SUCCESS}});
}

// B serves none. A Send behind the Read is flushed.
TEST_CASE("nd1: a Read where none was agreed on fails and ends the connection", "[R104][R130]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    run_parties(
        [&](Nd1Party& a) {
            make_endpoint(a, {4, 4});
            expect(a.connect("B") == ND_SUCCESS && a.complete() == ND_SUCCESS, "a connection");
            until_ms(a.os, 3);
            expect(a.read(1, 64, open) == ND_SUCCESS && a.send(2, 8) == ND_SUCCESS, "they are posted");
            at_a = a.ended(2);
        },
        [&](Nd1Party& b) {
            expect(b.listen() == ND_SUCCESS && b.next_request(*b.connector) == ND_SUCCESS, "a request");
            make_endpoint(b, {0, 4});
            expect(b.accept() == ND_SUCCESS, "it is accepted");
            open = b.open_window(0, 4096).descriptor;
        });
    CHECK(at_a == Nd1Ends{{1, ND_INVALID_REQUEST}, {2, ND_CANCELED}});
}

TEST_CASE("nd1: private data arrives with its length, also in part", "[R128]") {
    Data whole;
    Data part;
    Data size_alone;
    Data answer;
    run_parties(
        [&](Nd1Party& a) {
            a.need_endpoint();
            expect(connect_with(a, kHello) == ND_SUCCESS, "B accepts");
            answer = data_of(a, 60);
            expect(a.complete() == ND_SUCCESS, "it is completed");
        },
        [&](Nd1Party& b) {
            b.need_endpoint();
            expect(b.listen() == ND_SUCCESS && b.next_request(*b.connector) == ND_SUCCESS, "a request");
            whole = data_of(b, kHello.size());
            part = data_of(b, 5);
            size_alone = data_of(b, 0);
            expect(accept_with(b, kAnswer) == ND_SUCCESS, "it is accepted");
        });
    CHECK(whole.code == ND_SUCCESS);
    CHECK(whole.size == kHello.size());
    CHECK(whole.text == kHello + ".");
    CHECK(part.code == ND_BUFFER_OVERFLOW);
    CHECK(part.size == kHello.size());
    CHECK(part.text == "hello.");
    CHECK(size_alone.code == ND_BUFFER_OVERFLOW);
    CHECK(size_alone.size == kHello.size());
    CHECK(answer.code == ND_SUCCESS);
    CHECK(answer.size == kAnswer.size());
    CHECK(answer.text.substr(0, kAnswer.size()) == kAnswer);
}

// The limits are the adapter's; the longest data fits.
TEST_CASE("nd1: too much private data is refused, and less is taken then", "[R127][B21]") {
    Codes codes_of_a;
    Codes codes_of_b;
    const auto info_of = [](Nd1Party& party) {
        ND_ADAPTER_INFO info{};
        expect(party.adapter->Query(ND_VERSION_1, &info, nullptr) == ND_SUCCESS, "the limits");
        return info;
    };
    run_parties(
        [&](Nd1Party& a) {
            a.need_endpoint();
            const SIZE_T most = info_of(a).MaxCallerData;
            codes_of_a = {connect_with(a, std::string(most + 1, 'a')), connect_with(a, std::string(most, 'a'))};
            codes_of_a.push_back(a.complete());
        },
        [&](Nd1Party& b) {
            b.need_endpoint();
            expect(b.listen() == ND_SUCCESS && b.next_request(*b.connector) == ND_SUCCESS, "a request");
            const SIZE_T most = info_of(b).MaxCalleeData;
            const std::string long_data(most + 1, 'b');
            codes_of_b = {b.connector->Reject(long_data.data(), long_data.size()), accept_with(b, long_data),
                          accept_with(b, std::string(most, 'b'))};
        });
    CHECK(codes_of_a == Codes{ND_BUFFER_OVERFLOW, ND_SUCCESS, ND_SUCCESS});
    CHECK(codes_of_b == Codes{ND_BUFFER_OVERFLOW, ND_BUFFER_OVERFLOW, ND_SUCCESS});
}

TEST_CASE("nd1: the data of a Reject can be read", "[R124][R128]") {
    HRESULT refused = ND_PENDING;
    HRESULT before = ND_PENDING;
    Data answer;
    run_parties(
        [&](Nd1Party& a) {
            a.need_endpoint();
            before = data_of(a, 60).code;
            refused = a.connect("B");
            answer = data_of(a, 60);
        },
        [&](Nd1Party& b) {
            expect(b.listen() == ND_SUCCESS && b.next_request(*b.connector) == ND_SUCCESS, "a request");
            expect(b.connector->Reject(kAnswer.data(), kAnswer.size()) == ND_SUCCESS, "it says no");
        });
    CHECK(before == ND_CONNECTION_INVALID);
    CHECK(refused == ND_CONNECTION_REFUSED);
    CHECK(answer.code == ND_SUCCESS);
    CHECK(answer.text.substr(0, answer.size) == kAnswer);
}

}  // namespace ndsim::test::nd1_connection_data_test
