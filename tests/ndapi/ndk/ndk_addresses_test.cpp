// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_addresses_test {

using namespace std::chrono_literals;

TEST_CASE("addresses: ports of listeners, connectors and shared endpoints exclude each other", "[K181][K182][K188]") {
    run_pair(
        [](Party& a) {
            NDK_LISTENER* const fixed = a.new_listener();
            expect(a.listen_at(fixed, 4000) == STATUS_SUCCESS, "port 4000");
            expect(a.listen_at(fixed, 4005) == STATUS_ADDRESS_ALREADY_ASSOCIATED, "a listener has one address");
            NDK_LISTENER* const other = a.new_listener();
            expect(a.listen_at(other, 4000) == STATUS_SHARING_VIOLATION, "taken");
            NDK_CONNECTOR* const connector = a.new_connector();
            expect(a.connect(connector, a.qp, "B", 5000, 4000) == STATUS_SHARING_VIOLATION, "for a connect, too");
            sockaddr_in foreign = a.address("B", 4001);
            expect(other->Dispatch->NdkListen(other, reinterpret_cast<PSOCKADDR>(&foreign), sizeof foreign, Call::done,
                                              nullptr) == STATUS_INVALID_ADDRESS,
                   "B's address");
            expect(a.listen_at(other, 0) == STATUS_SUCCESS, "any port");
            sockaddr_in picked{};
            ULONG length = 4;
            expect(other->Dispatch->NdkGetLocalAddress(other, reinterpret_cast<PSOCKADDR>(&picked), &length) ==
                           STATUS_BUFFER_TOO_SMALL &&
                       length == sizeof picked,
                   "the size of an address");
            expect(other->Dispatch->NdkGetLocalAddress(other, reinterpret_cast<PSOCKADDR>(&picked), &length) ==
                       STATUS_SUCCESS,
                   "it fits");
            expect(ntohs(picked.sin_port) >= 49152, "from the ephemeral range");
            a.close(fixed->Dispatch->NdkCloseListener, fixed);
            NDK_LISTENER* const third = a.new_listener();
            expect(a.listen_at(third, 4000) == STATUS_SUCCESS, "free again");
        },
        nothing);
}

// Another code for it, in the profile infiniband, is NDSPI's alone (R133).
TEST_CASE("addresses: one in use is refused with the same code in the profile infiniband", "[K182]") {
    run_pair(
        [](Party& a) {
            expect(a.listen_at(a.new_listener(), 4000) == STATUS_SUCCESS, "port 4000");
            expect(a.listen_at(a.new_listener(), 4000) == STATUS_SHARING_VIOLATION, "taken");
            expect(a.connect(a.new_connector(), a.qp, "B", 5000, 4000) == STATUS_SHARING_VIOLATION,
                   "for a connect, too");
        },
        nothing, {"profile=infiniband"});
}

TEST_CASE("addresses: a listener's is busy until its connectors are closed", "[K188][K200][K203]") {
    run_pair(
        [](Party& a) {
            a.be_active("B");
            NDK_CONNECTOR* const second = a.new_connector();
            a.left.wait("B to be done");
            expect(a.connect(second, a.new_qp(), "B", 4000) == STATUS_CONNECTION_REFUSED, "B's listener is closing");
            expect(a.disconnect() == STATUS_SUCCESS, "done");
        },
        [](Party& b) {
            b.be_passive();
            Call close(b.host);
            expect(b.listener->Dispatch->NdkCloseListener(&b.listener->Header, Call::closed, &close) == STATUS_PENDING,
                   "its connector is open");
            expect(b.disconnect() == STATUS_SUCCESS, "done");
            expect(close.callbacks == 0, "still open");
            NDK_LISTENER* const next = b.new_listener();
            expect(b.listen_at(next, 4000) == STATUS_SHARING_VIOLATION, "still busy");
            b.close(b.connector);
            close.event.wait("the listener to close");
            expect(b.listen_at(next, 4000) == STATUS_SUCCESS, "free");
        });
}

TEST_CASE("addresses: one shared endpoint connects to many, but to each only once", "[K183][K182][K188]") {
    run_pair(
        [](Party& a) {
            a.host.sleep(1ms - a.host.clock());
            sockaddr_in local = a.address("", 6000);
            NDK_SHARED_ENDPOINT* endpoint = nullptr;
            const auto create = [&](Call& call, NDK_SHARED_ENDPOINT** out) {
                return a.adapter->Dispatch->NdkCreateSharedEndpoint(a.adapter, reinterpret_cast<PSOCKADDR>(&local),
                                                                    sizeof local, Call::created, &call, out);
            };
            a.make(endpoint, create);
            Call again(a.host);
            NDK_SHARED_ENDPOINT* none = nullptr;
            expect(again.wait(create(again, &none)) == STATUS_SHARING_VIOLATION && none == nullptr, "taken");
            const auto join = [&](NDK_CONNECTOR* connector, NDK_QP* qp, USHORT port) {
                sockaddr_in target = a.address("B", port);
                Call call(a.host);
                return call.wait(connector->Dispatch->NdkConnectWithSharedEndpoint(
                    connector, qp, endpoint, reinterpret_cast<PSOCKADDR>(&target), sizeof target, 1, 1, nullptr, 0,
                    Call::done, &call));
            };
            NDK_CONNECTOR* const first = a.new_connector();
            NDK_CONNECTOR* const second = a.new_connector();
            NDK_CONNECTOR* const third = a.new_connector();
            expect(join(first, a.qp, 4000) == STATUS_SUCCESS, "one");
            expect(a.complete(first) == STATUS_SUCCESS, "completed");
            expect(join(third, a.new_qp(), 4000) == STATUS_ADDRESS_ALREADY_EXISTS, "the same again");
            expect(a.connect(third, a.new_qp(), "B", 4000, 6000) == STATUS_ADDRESS_ALREADY_EXISTS, "in another way");
            expect(join(second, a.new_qp(), 4001) == STATUS_SUCCESS, "another");
            expect(a.complete(second) == STATUS_SUCCESS, "completed");
            sockaddr_in seen{};
            ULONG length = sizeof seen;
            expect(second->Dispatch->NdkGetLocalAddress(second, reinterpret_cast<PSOCKADDR>(&seen), &length) ==
                           STATUS_SUCCESS &&
                       ntohs(seen.sin_port) == 6000,
                   "the endpoint's address");
            Call close(a.host);
            expect(
                endpoint->Dispatch->NdkCloseSharedEndpoint(&endpoint->Header, Call::closed, &close) == STATUS_PENDING,
                "its connectors are open (K200)");
            a.close(first);
            expect(close.callbacks == 0, "one is left");
            a.close(second);
            close.event.wait("the endpoint to close");
            a.make(endpoint, create);
        },
        [](Party& b) {
            b.listen(4000);
            NDK_LISTENER* const other = b.new_listener();
            expect(b.listen_at(other, 4001) == STATUS_SUCCESS, "a second listener");
            expect(b.accept(b.next_offered(), b.qp) == STATUS_SUCCESS, "one");
            expect(b.accept(b.next_offered(), b.new_qp()) == STATUS_SUCCESS, "another");
            while (b.disconnects < 2) {
                b.left.wait("A to close");
            }
        });
}

}  // namespace ndsim::test::ndk_addresses_test
