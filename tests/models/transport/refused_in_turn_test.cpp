// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/wqe_engine.hpp"
#include "tests/models/transport/requester_bench.hpp"

// The work-queue engine and the requester together: a request is refused while the engine gives its queue pair a turn.
namespace ndsim::test::refused_in_turn_test {

// Two queue pairs, whose peers never answer and are waited for without end; WQEs take 400 ns to be read.
struct TurnBench : RequesterBench {
    TurnBench() : RequesterBench(without_timeout()), engine("wqe", timeline, {}, kHost, ledgers, payloads) {
        engine.dma.bind(dma);
        engine.context.bind(contexts);
        engine.requester.bind(requester.port);
        engine.gate.bind(gate.port);
        work.on_resume_qp = [this](QpNum qp) { engine.resume_qp(qp); };
        faults.units.push_back(&engine);
        for (const QpNum qp : {kQp, kQp2}) {
            QpAttributes attributes = attributes_of(qp);
            attributes.sq_ring = ring(qp);
            attributes.sq_units = 4;
            QpConnection connection;
            connection.mtu = 1024;
            connection.first_psn = Psn{100};
            connect(attributes, connection);
        }
    }
    static TransportParams without_timeout() {
        TransportParams params;
        params.timeout_code = 0;
        return params;
    }
    static Address ring(QpNum qp) { return Memory::kBase + (raw(qp) - raw(kQp)) * 256ULL; }
    // Entry `index` of the ring: a Send of 8 bytes.
    void post(QpNum qp, std::uint32_t index, std::uint32_t request, MrKey key = MrKey{1}) {
        std::byte* const entry = memory.data.data() + (raw(ring(qp)) - raw(Memory::kBase)) + index * 64ULL;
        const WqeHeader header{WqeOpcode::send, kWqeSignaled, 1, index, request, 0};
        write_wqe_header(entry, header);
        write_wqe_sge(entry + header.body_at(), 0, {Memory::kBase + 4096, 8, key});
    }

    Contexts contexts;
    WqeEngine engine;
};

TEST_CASE("refused in its turn: the queue pair fails behind that, and others keep their turns") {
    TurnBench bench;
    bench.post(kQp, 0, 1, bench.protection.bad);
    bench.post(kQp, 1, 2);
    bench.post(kQp2, 0, 3);
    bench.post(kQp2, 1, 4);
    bench.at(0ns, [&] {
        bench.engine.sq_doorbell({.qp = kQp, .producer = 2});
        bench.engine.sq_doorbell({.qp = kQp2, .producer = 1});
    });
    bench.at(10us, [&] { bench.engine.sq_doorbell({.qp = kQp2, .producer = 2}); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::loc_prot}, {2, WcStatus::wr_flush}});
    std::vector<std::uint32_t> sent;
    for (const auto& each : bench.egress.sent) {
        sent.push_back(each.packet.request.number);
    }
    CHECK(sent == std::vector<std::uint32_t>{3, 4});
}

}  // namespace ndsim::test::refused_in_turn_test
