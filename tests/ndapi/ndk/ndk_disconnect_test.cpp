// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_disconnect_test {

using namespace std::chrono_literals;

const std::vector<NTSTATUS> kNothing;

std::vector<NTSTATUS> cancelled(std::size_t count) {
    return std::vector<NTSTATUS>(count, STATUS_CANCELLED);
}

TEST_CASE("disconnect: it pends until the peer disconnects too, who hears of it once", "[K152][K156]") {
    run_pair(
        [](Party& a) {
            a.be_active("B");
            const Picoseconds begun = a.host.clock();
            expect(a.disconnect() == STATUS_SUCCESS, "the rendezvous succeeds");
            expect(a.host.clock() - begun > 1ms, "B takes 1 ms to disconnect");
            expect(a.disconnects == 0, "who disconnects first gets no event");
            a.close_all();
        },
        [](Party& b) {
            b.be_passive();
            b.left.wait("A to disconnect");
            b.host.sleep(1ms);
            expect(b.disconnects == 1, "one event");
            const Picoseconds begun = b.host.clock();
            expect(b.disconnect() == STATUS_SUCCESS, "the second side needs nobody");
            expect(b.host.clock() - begun < 1ms, "nor waits for anybody");
            expect(b.disconnects == 1, "still one event");
            b.close_all();
        });
}

TEST_CASE("disconnect: a peer that never disconnects is given up, and hears of that", "[K152][K154]") {
    run_pair(
        [](Party& a) {
            a.be_active("B");
            expect(a.receive(64) == STATUS_SUCCESS, "a receive");
            const Picoseconds begun = a.host.clock();
            expect(a.disconnect() == STATUS_IO_TIMEOUT, "nobody answers");
            // nic.disconnect_timeout, and then some microseconds in which the queue pair is quiesced.
            expect(a.host.clock() - begun >= 3ms && a.host.clock() - begun < 3100us, "after the timeout");
            expect(a.poll() == cancelled(1), "flushed all the same (K155)");
            expect(a.send(64) == STATUS_CONNECTION_INVALID, "closed");
            a.close_all();
        },
        [](Party& b) {
            b.be_passive();
            b.host.sleep(5ms);
            expect(b.disconnects == 1, "the notification and the abort are one event");
            expect(b.disconnect() == STATUS_CONNECTION_ABORTED, "the connection has died");
            b.close_all();
        },
        {"nic.disconnect_timeout=3 ms"});
}

TEST_CASE("disconnect: both sides at once succeed, and nobody gets an event", "[K153][K158]") {
    const auto both = [](Party& party) {
        party.host.sleep(1ms - party.host.clock());
        expect(party.disconnect() == STATUS_SUCCESS, "crossing requests answer each other");
        party.host.sleep(1ms);
        expect(party.disconnects == 0, "the peer's notification comes behind the local call: no event");
        party.close_all();
    };
    run_pair(
        [&](Party& a) {
            a.be_active("B");
            both(a);
        },
        [&](Party& b) {
            b.be_passive();
            both(b);
        });
}

TEST_CASE("disconnect: what is pending is in the completion queue when it is done", "[K155][K157]") {
    run_pair(connect_and_disconnect, [](Party& b) {
        b.be_passive();
        for (int i = 0; i < 8; ++i) {
            expect(b.receive(64) == STATUS_SUCCESS, "a receive");
        }
        b.left.wait("A to disconnect");
        b.host.sleep(100us);
        expect(b.poll() == kNothing, "the event alone cancels nothing");
        expect(b.disconnect() == STATUS_SUCCESS, "done");
        expect(b.poll() == cancelled(8), "eight receives, as soon as it is done");
        expect(b.send(64) == STATUS_CONNECTION_INVALID, "no Sends behind it");
        expect(b.receive(64) == STATUS_SUCCESS, "a receive is taken");
        b.host.sleep(100us);
        expect(b.poll() == cancelled(1), "and cancelled");
        b.close_all();
    });
}

TEST_CASE("disconnect: with flush_on_peer_disconnect the event cancels what is pending", "[K157]") {
    run_pair(
        [](Party& a) {
            a.be_active("B");
            expect(a.disconnect() == STATUS_SUCCESS, "the rendezvous succeeds nevertheless");
            a.close_all();
        },
        [](Party& b) {
            b.be_passive();
            expect(b.receive(64) == STATUS_SUCCESS, "a receive");
            b.left.wait("A to disconnect");
            b.host.sleep(100us);
            expect(b.poll() == cancelled(1), "flushed by the provider");
            expect(b.disconnect() == STATUS_SUCCESS, "in order");
            b.close_all();
        },
        {"hosts.B.adapter.flush_on_peer_disconnect=always"});
}

TEST_CASE("disconnect: with work in flight that the peer does not wait for, it is done when that is flushed",
          "[K151][K155]") {
    run_pair(
        [](Party& a) {
            a.be_active("B");
            a.host.sleep(100us);  // B has posted its receive
            // 1 MiB takes more than 80 us at 100 Gbps; the peer leaves long before.
            const Picoseconds begun = a.host.clock();
            expect(a.send(1U << 20U, NDK_OP_FLAG_SILENT_SUCCESS) == STATUS_SUCCESS, "a silent Send");
            expect(a.disconnect() == STATUS_SUCCESS, "the peer's notification has come");
            expect(a.host.clock() - begun < 80us, "before the whole Send could be on the wire");
            expect(a.poll() == cancelled(1), "the Send's completion is there, as it failed");
            a.close_all();
        },
        [](Party& b) {
            b.be_passive();
            expect(b.receive(1U << 20U) == STATUS_SUCCESS, "a receive");
            b.left.wait("A to disconnect");
            expect(b.disconnect() == STATUS_SUCCESS, "done");
            expect(b.poll() == cancelled(1), "the message that is half there is cancelled");
            b.close_all();
        });
}

TEST_CASE("disconnect: the peer still gets all of a silent Send that was posted before", "[K151]") {
    constexpr ULONG kLength = 1U << 20U;
    run_pair(
        [](Party& a) {
            std::fill(a.buffer.begin(), a.buffer.end(), std::byte{0x5A});
            a.be_active("B");
            a.host.sleep(100us);  // B has posted its receive
            expect(a.send(kLength, NDK_OP_FLAG_SILENT_SUCCESS) == STATUS_SUCCESS, "a silent Send");
            expect(a.disconnect() == STATUS_SUCCESS, "done");
            std::fill(a.buffer.begin(), a.buffer.end(), std::byte{0});
            expect(a.poll() == kNothing, "it succeeded, so it is silent");
            a.close_all();
        },
        [](Party& b) {
            b.be_passive();
            expect(b.receive(kLength) == STATUS_SUCCESS, "a receive");
            b.left.wait("A to disconnect");
            std::vector<NTSTATUS> got;
            while (got.empty()) {
                got = b.poll();
            }
            expect(got == std::vector<NTSTATUS>{STATUS_SUCCESS}, "the message arrives whole");
            expect(b.buffer.front() == std::byte{0x5A} && b.buffer.back() == std::byte{0x5A}, "with its old bytes");
            b.leave();
        });
}

TEST_CASE("disconnect: a connection is over for good", "[K154][K186][K187]") {
    run_pair(
        [](Party& a) {
            expect(a.new_connector()->Dispatch->NdkDisconnect(a.new_connector(), Call::done, nullptr) ==
                       STATUS_CONNECTION_INVALID,
                   "there was no connection");
            a.be_active("B");
            NDK_CONNECTOR* const other = a.new_connector();
            expect(a.connect(other, a.qp, "B", 4000) == STATUS_CONNECTION_ACTIVE, "the QP is connected");
            expect(a.disconnect() == STATUS_SUCCESS, "done");
            expect(a.disconnect() == STATUS_CONNECTION_INVALID, "only once");
            expect(a.complete(a.connector) == STATUS_CONNECTION_INVALID, "it is not connecting");
            expect(a.connect(a.connector, a.new_qp(), "B", 4000) == STATUS_CONNECTION_INVALID, "the connector is used");
            expect(a.connect(other, a.qp, "B", 4000) == STATUS_CONNECTION_INVALID, "and so is the QP");
        },
        [](Party& b) {
            b.be_passive();
            b.left.wait("A to disconnect");
            expect(b.disconnect() == STATUS_SUCCESS, "done");
        });
}

TEST_CASE("disconnect: closing a connector is an abort, of which the peer hears", "[K160][K156][K207]") {
    run_pair(
        [](Party& a) {
            a.be_active("B");
            expect(a.receive(64) == STATUS_SUCCESS, "a receive");
            a.close(a.connector);
            a.connector = nullptr;
            a.host.sleep(100us);
            expect(a.poll() == cancelled(1), "local requests are cancelled");
            expect(a.disconnects == 0, "and nobody is told what he did himself");
            a.close_all();
        },
        [](Party& b) {
            b.be_passive();
            expect(b.receive(64) == STATUS_SUCCESS, "a receive");
            b.left.wait("the connection to die");
            b.host.sleep(100us);
            expect(b.poll() == cancelled(1), "an abort has failed the requests here, too");
            expect(b.disconnects == 1, "one event");
            expect(b.send(64) == STATUS_SUCCESS, "not disconnected yet: taken (K150)");
            b.host.sleep(100us);
            expect(b.poll() == cancelled(1), "and cancelled");
            b.close_all();
        });
}

}  // namespace ndsim::test::ndk_disconnect_test
