// SPDX-License-Identifier: Apache-2.0

#include "ndapi/core/connector.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test::posting_test {

using core::RequestOptions;
using core::Tells;

constexpr RequestOptions kDeferred{.defer = true};

// An entry of the send queue's ring, at a unit.
std::byte* entry_at(DriverBench& bench, std::uint32_t unit) {
    const auto qp = bench.device.commands_of<QpAttributes>().at(0).what;
    return bench.device.memory().bytes(qp.sq_ring + std::uint64_t{unit} * kWqeUnit, kWqeUnit);
}

TEST_CASE("posting: a Send is in the ring, and one doorbell tells it") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        CHECK(bench.core.clock() == 1130ns);  // 130 ns = 50 ns wqe_build + 80 ns mmio_uc
    });
    bench.run();
    REQUIRE(bench.device.stores.size() == 1);
    const DeviceDouble::Store& store = bench.device.stores[0];
    CHECK(store.at == 1130ns);
    CHECK(store.mmio.kind == MmioKind::sq_doorbell);
    CHECK(store.mmio.queue == raw(pair.qp.number()));
    CHECK(store.mmio.index == 1);  // unit: header 16 + one SGE 16 bytes
    CHECK(store.mmio.entries == 1);
    CHECK(store.mmio.pushed_units == 0);
    const WqeHeader header = read_wqe_header(entry_at(bench, 0));
    CHECK(header.opcode == WqeOpcode::send);
    CHECK(header.flags == kWqeSignaled);
    CHECK(header.count == 1);
    CHECK(header.index == 0);
    const Sge sge = read_wqe_sge(entry_at(bench, 0) + kWqeHeader, 0);
    CHECK(sge.address == pair.mr.address_of(pair.bytes.data()));
    CHECK(sge.length == 64);
    CHECK(sge.key == pair.mr.key());
}

TEST_CASE("posting: doorbells count units and requests, from the beginning") {
    DriverBench bench;
    QueuePair pair(bench, {4, 4, 2, 5, 64});
    pair.connect();
    bench.program(1us, [&] {
        const std::array five{pair.piece(8), pair.piece(8), pair.piece(8), pair.piece(8), pair.piece(8)};
        CHECK(pair.send(1) == STATUS_SUCCESS);
        CHECK(pair.qp.initiator().write(nullptr, five, {Address{0x5000}, MrKey{9}}, {}) == STATUS_SUCCESS);
    });
    bench.run();
    REQUIRE(bench.device.stores.size() == 2);
    CHECK(bench.device.stores[1].at == 1260ns);     // two times 130 ns
    CHECK(bench.device.stores[1].mmio.index == 3);  // 1 unit, and 16 + 16 + 5 x 16 = 112 bytes in 2
    CHECK(bench.device.stores[1].mmio.entries == 2);
    const WqeHeader header = read_wqe_header(entry_at(bench, 1));
    CHECK(header.opcode == WqeOpcode::write);
    CHECK(header.index == 1);
    CHECK(read_wqe_remote(entry_at(bench, 1)).address == Address{0x5000});
    CHECK(read_wqe_remote(entry_at(bench, 1)).key == MrKey{9});
}

TEST_CASE("posting: inline data is that of the post, whatever its keys", "[K96][K97][K99]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        std::array<std::byte, 6> data{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}};
        // Three pieces, though the queue pair allows two SGEs; their keys name nothing.
        const std::array<core::LocalPiece, 3> pieces{{{&data[0], 2, MrKey{1}}, {&data[2], 1, {}}, {&data[4], 1, {}}}};
        CHECK(pair.qp.initiator().send(nullptr, pieces, {.inlined = true, .defer = true}) == STATUS_SUCCESS);
        data.fill(std::byte{0xFF});
    });
    bench.run();
    const std::byte* const entry = entry_at(bench, 0);
    CHECK(read_wqe_header(entry).flags == (kWqeSignaled | kWqeInline));
    CHECK(read_wqe_header(entry).count == 4);  // bytes
    CHECK(std::to_integer<int>(entry[16]) == 1);
    CHECK(std::to_integer<int>(entry[17]) == 2);
    CHECK(std::to_integer<int>(entry[18]) == 3);
    CHECK(std::to_integer<int>(entry[19]) == 5);
}

TEST_CASE("posting: as many inline bytes as the queue pair has are taken, one more is refused", "[K98]") {
    DriverBench bench;
    QueuePair pair(bench);  // 64 bytes inline
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.qp.initiator().send(nullptr, std::array{pair.piece(64)}, {.inlined = true}) == STATUS_SUCCESS);
        CHECK(pair.qp.initiator().send(nullptr, std::array{pair.piece(65)}, {.inlined = true}) ==
              STATUS_BUFFER_OVERFLOW);
    });
    bench.run();
    CHECK(bench.device.stores.size() == 1);
}

TEST_CASE("posting: deferred requests ring nothing until one that is not", "[K37][K45][K47]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1, kDeferred) == STATUS_SUCCESS);
        CHECK(pair.send(2, kDeferred) == STATUS_SUCCESS);
        CHECK(bench.core.clock() == 1100ns);  // two times 50 ns wqe_build
        CHECK(bench.device.stores.empty());
        CHECK(pair.qp.deferred() == 2);
        CHECK(pair.send(3) == STATUS_SUCCESS);
        CHECK(pair.qp.deferred() == 0);
        CHECK(pair.send(4, kDeferred) == STATUS_SUCCESS);
        CHECK(pair.send(5, kDeferred) == STATUS_NO_MORE_ENTRIES);  // deferred ones hold their slots, four in all
    });
    bench.run();
    REQUIRE(bench.device.stores.size() == 2);
    CHECK(bench.device.stores[0].at == 1230ns);  // three builds and 80 ns mmio_uc
    CHECK(bench.device.stores[0].mmio.index == 3);
    CHECK(bench.device.stores[0].mmio.entries == 3);
    CHECK(bench.device.stores[1].mmio.entries == 4);  // by the refusal
}

TEST_CASE("posting: a refused post ends the chain before it", "[K39][K40]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1, kDeferred) == STATUS_SUCCESS);
        const std::array three{pair.piece(8), pair.piece(8), pair.piece(8)};
        CHECK(pair.qp.initiator().send(nullptr, three, kDeferred) == STATUS_DATA_OVERRUN);
        CHECK(pair.qp.initiator().send(nullptr, three, {}) ==
              STATUS_DATA_OVERRUN);  // there is nothing left to ring for
    });
    bench.run();
    REQUIRE(bench.device.stores.size() == 1);
    CHECK(bench.device.stores[0].at == 1130ns);  // 50 ns wqe_build + 80 ns mmio_uc
    CHECK(bench.device.stores[0].mmio.entries == 1);
}

TEST_CASE("posting: with policy never, a deferred request rings at once", "[K42][K45]") {
    NodeParams params = driver_params();
    params.adapter.defer_policy = DeferPolicy::never;
    DriverBench bench(params);
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1, kDeferred) == STATUS_SUCCESS);
        CHECK(pair.send(2, kDeferred) == STATUS_SUCCESS);
    });
    bench.run();
    CHECK(bench.device.stores.size() == 2);
}

TEST_CASE("posting: a full send queue refuses, and a polled completion frees its slot and those before", "[K28][K56]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        for (std::uintptr_t i = 0; i < 4; ++i) {
            CHECK(pair.send(i, {.silent = i == 0}) == STATUS_SUCCESS);
        }
        CHECK(pair.send(4) == STATUS_NO_MORE_ENTRIES);
        bench.core.sleep(3us);  // the completion is there, and not polled
        CHECK(pair.send(4) == STATUS_NO_MORE_ENTRIES);
        CHECK(pair.poll().size() == 1);
        CHECK(pair.send(4) == STATUS_SUCCESS);
        CHECK(pair.send(5) == STATUS_SUCCESS);
        CHECK(pair.send(6) == STATUS_NO_MORE_ENTRIES);  // the slots of requests 0 and 1, and no more
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 1));
    bench.run();
    CHECK(bench.device.stores.size() == 6);
    CHECK(read_wqe_header(entry_at(bench, 0)).has(kWqeSignaled) == false);
}

TEST_CASE("posting: a Read needs agreed Reads", "[K173]") {
    DriverBench bench;
    QueuePair pair(bench);
    core::Connector connector(bench.driver);  // outbound limit 0
    pair.qp.set_connector(&connector);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.qp.initiator().read(nullptr, std::array{pair.piece(8)}, {}, {}, {}) ==
              STATUS_INVALID_DEVICE_REQUEST);
    });
    bench.run();
    CHECK(bench.device.stores.empty());
    pair.qp.set_connector(nullptr);
}

TEST_CASE("posting: without a connection an initiator request is refused, a receive is not", "[K22][K24]") {
    DriverBench bench;
    QueuePair pair(bench);
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_CONNECTION_INVALID);
        CHECK(pair.receive(2) == STATUS_SUCCESS);
    });
    bench.run();
    REQUIRE(bench.device.stores.size() == 1);
    CHECK(bench.device.stores[0].mmio.kind == MmioKind::rq_doorbell);
}

TEST_CASE("posting: too long a request is refused, and too many SGEs", "[K29][K31]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        const std::uint64_t most = 1ULL << 30U;  // MaxTransferLength
        CHECK(pair.qp.initiator().send(nullptr, std::array{pair.piece(most), pair.piece(1)}, {}) ==
              STATUS_BUFFER_OVERFLOW);
        CHECK(pair.qp.initiator().send(nullptr, std::array{pair.piece(most - 1), pair.piece(1)}, {}) == STATUS_SUCCESS);
        const std::array three{pair.piece(8), pair.piece(8), pair.piece(8)};
        CHECK(pair.qp.receive(nullptr, three) == STATUS_DATA_OVERRUN);
    });
    bench.run();
    CHECK(bench.device.stores.size() == 1);
}

TEST_CASE("posting: a list of receives has one doorbell, and a full receive queue refuses", "[K28]") {
    DriverBench bench;
    QueuePair pair(bench);
    bench.program(1us, [&] {
        for (std::uintptr_t i = 0; i < 4; ++i) {
            CHECK(pair.receive(i, Tells::with_list) == STATUS_SUCCESS);
        }
        CHECK(pair.receive(4, Tells::with_list) == STATUS_NO_MORE_ENTRIES);
        CHECK(bench.device.stores.empty());
        pair.qp.ring_receive_doorbell();
    });
    bench.run();
    REQUIRE(bench.device.stores.size() == 1);
    CHECK(bench.device.stores[0].at == 1280ns);  // four times 50 ns wqe_build + 80 ns mmio_uc
    CHECK(bench.device.stores[0].mmio.kind == MmioKind::rq_doorbell);
    CHECK(bench.device.stores[0].mmio.index == 4);  // entries
    const auto qp = bench.device.commands_of<QpAttributes>().at(0).what;
    CHECK(qp.rq_entries == 4);
    CHECK(qp.rq_stride == 1);  // units: 16 + 2 x 16 bytes
    const std::byte* const last = bench.device.memory().bytes(qp.rq_ring + 3 * kWqeUnit, kWqeUnit);
    CHECK(read_wqe_header(last).opcode == WqeOpcode::receive);
    CHECK(read_wqe_header(last).index == 3);
}

}  // namespace ndsim::test::posting_test
