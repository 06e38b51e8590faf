// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_private_data_test {

using Data = std::vector<unsigned char>;

// So many bytes, which count from a first one.
Data counting(std::size_t length, unsigned char first) {
    Data data(length);
    for (std::size_t i = 0; i < length; ++i) {
        data[i] = static_cast<unsigned char>(first + i);
    }
    return data;
}

// What GetPrivateData gives into a buffer of some size, which holds 0xEE before.
struct Given {
    HRESULT status = ND_PENDING;
    ULONG size = 0;
    Data data;
};
Given private_data(IND2Connector& connector, std::size_t room) {
    Given given;
    given.data = Data(room, 0xEE);
    given.size = static_cast<ULONG>(room);
    given.status = connector.GetPrivateData(room == 0 ? nullptr : given.data.data(), &given.size);
    return given;
}
// All of it.
Data received_data(IND2Connector& connector) {
    Given given = private_data(connector, 256);
    expect(given.status == ND_SUCCESS && given.size <= 256, "there is private data");
    given.data.resize(given.size);
    return given.data;
}

// Overlapped calls with data that is overwritten as soon as they have returned.
HRESULT connect(Nd2Party& a, Data data) {
    const sockaddr_in to = a.address("B", 5000);
    const HRESULT returned = a.connector->Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, 1, 1,
                                                  data.data(), static_cast<ULONG>(data.size()), &a.overlapped);
    std::fill(data.begin(), data.end(), static_cast<unsigned char>(0xEE));
    return a.finish(*a.connector.get(), returned);
}
HRESULT accept(Nd2Party& b, Data data) {
    const HRESULT returned =
        b.connector->Accept(b.qp.get(), 1, 1, data.data(), static_cast<ULONG>(data.size()), &b.overlapped);
    std::fill(data.begin(), data.end(), static_cast<unsigned char>(0xEE));
    return b.finish(*b.connector.get(), returned);
}

// One byte more than the adapter's limit, and then exactly the limit, by the same connectors.
TEST_CASE("nd2: private data may be as long as the limit, and too much of it leaves the connector usable",
          "[R127][B13][B21][B24]") {
    std::vector<HRESULT> connects;
    std::vector<HRESULT> accepts;
    Data sent;
    Data answered;
    Data at_a;
    Data at_b;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            sent = counting(info_of(a).MaxCallerData, 1);
            connects.push_back(connect(a, counting(sent.size() + 1, 100)));
            connects.push_back(connect(a, sent));
            at_a = received_data(*a.connector.get());
            connects.push_back(a.complete());
            until_ms(a.os, 5);
        },
        [&](Nd2Party& b) {
            answered = counting(info_of(b).MaxCalleeData, 11);
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            at_b = received_data(*b.connector.get());
            accepts.push_back(accept(b, counting(answered.size() + 1, 100)));
            accepts.push_back(accept(b, answered));
            until_ms(b.os, 5);
        });
    CHECK(connects == std::vector<HRESULT>{ND_INVALID_BUFFER_SIZE, ND_SUCCESS, ND_SUCCESS});
    CHECK(accepts == std::vector<HRESULT>{ND_INVALID_BUFFER_SIZE, ND_SUCCESS});
    CHECK(at_b == sent);
    CHECK(at_a == answered);
}

TEST_CASE("nd2: private data need memory unless they are empty", "[R127]") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            const sockaddr_in to = a.address("B", 5000);
            statuses.push_back(a.connector->Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, 1, 1,
                                                    nullptr, 20, &a.overlapped));
            statuses.push_back(a.connect("B"));
        },
        [&](Nd2Party& b) {
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            statuses.push_back(b.connector->Accept(b.qp.get(), 1, 1, nullptr, 20, &b.overlapped));
            statuses.push_back(b.connector->Reject(nullptr, 20));
            statuses.push_back(b.connector->Reject(nullptr, 0));
            until_ms(b.os, 5);
        });
    CHECK(statuses == std::vector<HRESULT>{ND_ACCESS_VIOLATION, ND_ACCESS_VIOLATION, ND_ACCESS_VIOLATION, ND_SUCCESS,
                                           ND_CONNECTION_REFUSED});
}

TEST_CASE("nd2: a reject may say as much as an accept, and the other side can read it", "[R127][R124]") {
    HRESULT connected = ND_PENDING;
    std::vector<HRESULT> rejects;
    Data told;
    Data at_a;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            connected = a.connect("B");
            at_a = received_data(*a.connector.get());
        },
        [&](Nd2Party& b) {
            told = counting(info_of(b).MaxCalleeData, 11);
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            const auto reject = [&](const Data& data) {
                rejects.push_back(b.connector->Reject(data.data(), static_cast<ULONG>(data.size())));
            };
            reject(counting(told.size() + 1, 100));
            reject(told);
            until_ms(b.os, 5);
        });
    CHECK(connected == ND_CONNECTION_REFUSED);
    CHECK(rejects == std::vector<HRESULT>{ND_INVALID_BUFFER_SIZE, ND_SUCCESS});
    CHECK(at_a == told);
}

// A has connected, and refuses B's acceptance.
TEST_CASE("nd2: a reject by the active side says as much, and replaces what its connect said", "[R127][R124]") {
    HRESULT accepted = ND_SUCCESS;
    Data told;
    Data at_b;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            told = counting(info_of(a).MaxCalleeData, 11);
            expect(connect(a, counting(20, 1)) == ND_SUCCESS, "a connect");
            expect(a.connector->Reject(told.data(), static_cast<ULONG>(told.size())) == ND_SUCCESS, "a reject");
            until_ms(a.os, 5);
        },
        [&](Nd2Party& b) {
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            accepted = accept(b, {});
            at_b = received_data(*b.connector.get());
        });
    CHECK(accepted != ND_SUCCESS);
    CHECK(at_b == told);
}

// A sends 20 bytes. B asks for the size, takes 8 of them, then all, then all into more room.
TEST_CASE("nd2: private data comes into any buffer as far as it fits", "[R128]") {
    Given before;
    std::vector<Given> given;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            expect(connect(a, counting(20, 1)) == ND_SUCCESS && a.complete() == ND_SUCCESS, "a connection");
            until_ms(a.os, 5);
        },
        [&](Nd2Party& b) {
            before = private_data(*b.connector.get(), 64);
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            for (const std::size_t room : {0U, 8U, 20U, 24U}) {
                given.push_back(private_data(*b.connector.get(), room));
            }
            expect(b.accept() == ND_SUCCESS, "a connection");
            until_ms(b.os, 5);
        });
    CHECK(before.status == ND_CONNECTION_INVALID);
    REQUIRE(given.size() == 4);
    const Data all = counting(20, 1);
    CHECK(given[0].status == ND_BUFFER_OVERFLOW);
    CHECK(given[0].size == 20);
    CHECK(given[1].status == ND_BUFFER_OVERFLOW);
    CHECK(given[1].size == 20);
    CHECK(given[1].data == Data(all.begin(), all.begin() + 8));
    CHECK(given[2].status == ND_SUCCESS);
    CHECK(given[2].size == 20);
    CHECK(given[2].data == all);
    CHECK(given[3].status == ND_SUCCESS);
    CHECK(given[3].size == 20);
    Data with_room = all;
    with_room.resize(24, 0xEE);
    CHECK(given[3].data == with_room);
}

}  // namespace ndsim::test::nd2_private_data_test
