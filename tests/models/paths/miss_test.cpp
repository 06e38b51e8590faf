// SPDX-License-Identifier: Apache-2.0
#include "models/context/context_cache.hpp"
#include "models/translation/translation_cache.hpp"
#include "tests/models/doorbell/doorbell_bench.hpp"
#include "tests/models/paths/host_path.hpp"
#include "tests/models/wqe/rq_bench.hpp"
#include "tests/models/wqe/wqe_bench.hpp"

// What the NIC has to fetch from host memory before it can go on, over the link of preset B.
namespace ndsim::test::miss_test {

TEST_CASE("path: a context that is missing is there after the read of its 256 bytes from DRAM", "[formula]") {
    struct Client final : ContextClient {
        explicit Client(const Timeline& its_timeline) : timeline(its_timeline) {}
        void context_ready(QpNum) override { ready.push_back(timeline.now()); }
        const Timeline& timeline;
        std::vector<Picoseconds> ready;
    };
    HostPath path;
    ContextCache cache("context", path.timeline, {.qp_context_entries = 1});
    cache.dma.bind(path.dma);
    cache.table_at(Memory::kBase);
    for (const QpNum qp : {kQp, kQp2}) {
        QpAttributes attributes;
        attributes.qp = qp;
        cache.create_qp(attributes);
    }
    Client client(path.timeline);
    path.at(1us, [&] { CHECK_FALSE(cache.use(kQp, client)); });
    path.run();
    // t(24) + 135 ns + 120 ns + 80 ns + t(256 + 20) + 135 ns.
    CHECK(client.ready == std::vector<Picoseconds>{1us + HostPath::from_dram(256)});
}

TEST_CASE("path: a translation that is missing is there after the read of its 64 bytes from DRAM", "[formula]") {
    struct Client final : TranslationClient {
        explicit Client(const Timeline& its_timeline) : timeline(its_timeline) {}
        void translated(std::uint32_t) override { told.push_back(timeline.now()); }
        const Timeline& timeline;
        std::vector<Picoseconds> told;
    };
    HostPath path;
    TranslationCache cache("translation", path.timeline, {});
    cache.dma.bind(path.dma);
    cache.table_at(Memory::kBase);
    Client client(path.timeline);
    path.at(1us, [&] { CHECK(cache.use(Address{7 * 4096}, 64, client, 1) == 1); });
    path.run();
    CHECK(client.told == std::vector<Picoseconds>{1us + HostPath::from_dram(64)});
}

// Software has just written what it posts: the last-level cache has it, 80 ns sooner.
constexpr Picoseconds from_cache(std::int64_t bytes) {
    return HostPath::from_dram(bytes) - 80ns;
}

TEST_CASE("path: a message whose WQE is fetched starts when its last byte is there", "[formula]") {
    HostPath path;
    WqeEngine engine("wqe", path.timeline, {}, kHost, path.ledgers, path.payloads);
    Messages messages(path.timeline);
    Contexts contexts;
    engine.dma.bind(path.dma);
    engine.context.bind(contexts);
    engine.requester.bind(messages);
    engine.gate.bind(messages);
    messages.work = &engine;
    QpAttributes attributes;
    attributes.qp = kQp;
    attributes.sq_ring = Memory::kBase;
    attributes.sq_units = 64;
    engine.create_qp(attributes);
    engine.connect_qp(kQp, {});
    // Five entries: 16 + 5 x 16 = 96 bytes, two units.
    std::array<std::byte, 128> entry{};
    write_wqe_header(entry.data(), {WqeOpcode::send, kWqeSignaled, 5, 0, 1, 0});
    std::copy(entry.begin(), entry.end(), path.memory.data.begin());
    path.root.software_wrote(Memory::kBase, entry.size());
    path.at(1us, [&] { engine.sq_doorbell({.qp = kQp, .producer = 2}); });
    path.run();
    REQUIRE(messages.begun.size() == 1);
    CHECK(messages.begun[0].at == 1us + from_cache(128));
}

// Receive queues with one queue pair. The test says who reads its record.
struct ReceivePath : HostPath {
    explicit ReceivePath(RqDoorbell doorbell) : rq("rq", timeline, params(doorbell), kHost, ledgers, payloads) {
        rq.dma.bind(dma);
        rq.responder.bind(ready);
        rq.completions.bind(completions);
        rq.limits.bind(limits);
        QpAttributes attributes;
        attributes.qp = kQp;
        attributes.rq_ring = Memory::kBase;
        attributes.rq_entries = 16;
        attributes.rq_stride = 1;
        rq.create_qp(attributes);
    }
    static WqeParams params(RqDoorbell doorbell) {
        WqeParams result;
        result.rq_doorbell = doorbell;
        return result;
    }
    void write_receive() {
        write_wqe_header(memory.data.data(), {WqeOpcode::receive, 0, 0, 0, 1, 0});
        root.software_wrote(Memory::kBase, 64);
    }
    void message_waits() {
        Wqe wqe;
        CHECK(rq.take(kQp, wqe) == ReceiveTake::under_way);
    }
    Ready ready{timeline};
    Completions completions{timeline};
    Limits limits{timeline};
    ReceiveQueues rq;
};

TEST_CASE("path: a receive that is posted is fetched in the read of its units", "[formula]") {
    ReceivePath path(RqDoorbell::store);
    Records records;
    path.rq.records.bind(records);
    path.rq.connect_qp(kQp, {});
    path.write_receive();
    path.at(1us, [&] {
        path.rq.rq_doorbell(kQp, 1);
        path.message_waits();
    });
    path.run();
    CHECK(path.ready.seen == std::vector<std::pair<QpNum, Picoseconds>>{{kQp, 1us + from_cache(64)}});
}

TEST_CASE("path: a message whose receive stands only in the record waits for the record and then for the fetch",
          "[formula]") {
    ReceivePath path(RqDoorbell::record);
    DoorbellUnit doorbell("doorbell", path.timeline, {}, path.payloads);
    Queues queues(path.timeline);
    doorbell.send_queues.bind(queues);
    doorbell.receive_queues.bind(path.rq);
    doorbell.completion_queues.bind(queues);
    doorbell.dma.bind(path.dma);
    path.rq.records.bind(doorbell);
    path.at(0ns, [&] { path.rq.connect_qp(kQp, {}); });
    path.at(5us, [&] {
        path.write_receive();
        Mmio mmio;
        mmio.kind = MmioKind::rq_doorbell;
        mmio.index = 1;
        const Address record = queues.record(raw(kQp)).value();
        write_doorbell_record(path.memory.bytes(record, kDoorbellRecordBytes), mmio);
        path.root.software_wrote(record, kDoorbellRecordBytes);
    });
    path.at(10us, [&] { path.message_waits(); });
    path.run();
    // 70 ns from the decoder to the queue, as for a doorbell.
    const Picoseconds known = 10us + from_cache(kDoorbellRecordBytes) + 70ns;
    CHECK(path.ready.seen == std::vector<std::pair<QpNum, Picoseconds>>{{kQp, known + from_cache(64)}});
}

// 2048 bytes from byte 32 of a line on: the first 512 come in completions that end at 256 and 512, and 32 bytes more.
TEST_CASE("path: the first grain of payload is there with the completions of its bytes", "[formula]") {
    HostPath path;
    path.root.software_wrote(Memory::kBase, 4096);
    Reader reader(path.timeline);
    std::vector<std::byte> into(2048);
    path.at(1us, [&] {
        const ReadPiece piece{Memory::kBase + 32, 2048, into.data()};
        CHECK(path.dma.try_read(ReadClass::payload, {&piece, 1}, 7, {}, reader));
    });
    path.run();
    REQUIRE(reader.arrived.size() == 1);
    const Picoseconds first = 1us + HostPath::ser(24) + 135ns + 120ns + 135ns;
    CHECK(reader.arrived[0].data.start == first + HostPath::ser(512 + 3 * 20));
}

}  // namespace ndsim::test::miss_test
