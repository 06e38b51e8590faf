// SPDX-License-Identifier: Apache-2.0

#include <map>

#include "sim/base/rng.hpp"
#include "tests/models/transport/queue_bench.hpp"
#include "tests/models/transport/responder_bench.hpp"

namespace ndsim::test::bad_link_test {

TransportParams fast_timeout() {
    TransportParams params;
    params.timeout_code = 4;
    params.ack_every = 2;
    return params;
}

QpConnection small_packets() {
    QpConnection connection = QueueBench::plain_connection();
    connection.mtu = 256;
    connection.first_psn = Psn{0xFF'F000};  // wraps on the way
    connection.outbound_reads = 3;
    return connection;
}

// A requester, and a responder of its own memory behind a link that loses, repeats and holds back packets.
struct BadLink : QueueBench {
    explicit BadLink(Bytes buffer) : QueueBench(with_buffer(buffer), small_packets()) {
        read_responder.dma.bind(peer_dma);
        read_responder.egress.bind(peer_egress);
        read_responder.protection.bind(protection);
        responder.dma.bind(peer_dma);
        responder.egress.bind(peer_egress);
        responder.rx_buffer.bind(rx_buffer);
        responder.receives.bind(receives);
        responder.completions.bind(peer_completions);
        responder.protection.bind(protection);
        responder.faults.bind(faults);
        responder.keys.bind(keys);
        QpAttributes attributes;
        attributes.qp = kQp;
        attributes.pd = kPd;
        responder.create_qp(attributes);
        QpConnection connection = small_packets();
        connection.peer = kQp;
        connection.expected_psn = connection.first_psn;
        connection.inbound_reads = 3;
        responder.connect_qp(kQp, connection);
        egress.on_send = [this](const Packet& packet, Interval ready) {
            Packet there = packet;
            there.destination = kQp;
            carry(there, std::max(now(), ready.end), last_there, [this](const Packet& arrives) {
                responder.receive(arrives, {now(), now()});
            });
        };
        peer_egress.on_send = [this](const Packet& packet, Interval ready) {
            at(std::max(now(), ready.end), [this, packet] {
                responder.acks->response_sent(packet);
                carry(packet, now(), last_back, [this](const Packet& arrives) {
                    completer.response(arrives, {now(), now()});
                });
            });
        };
        peer_egress.on_ack = [this](QpNum qp, Picoseconds ready) {
            at(std::max(now(), ready), [this, qp] {
                if (const auto ack = responder.acks->make_ack(qp)) {
                    // An acknowledgement has the MSN of its own PSN [X17], a NAK that of the PSN before it.
                    const Psn covered = ack->aeth.syndrome < Aeth::kRnrNak ? ack->psn : ack->psn - 1;
                    CHECK(msns.try_emplace(covered.value(), ack->aeth.msn).first->second == ack->aeth.msn);
                    carry(*ack, now(), last_back, [this](const Packet& arrives) { completer.acknowledge(arrives); });
                }
            });
        };
    }
    static TransportParams with_buffer(Bytes size) {
        TransportParams params = fast_timeout();
        params.retransmit_buffer = size;
        return params;
    }
    // 1 us of flight, in order but for what goes wrong: with 4 % each a packet is lost, comes twice, or comes late.
    void carry(const Packet& packet, Picoseconds leaves, Picoseconds& last,
               std::function<void(const Packet&)> deliver) {
        last = std::max(last + 1ns, leaves + 1us);
        const std::uint64_t dice = rng.between(0, 99);
        if (dice < 4) {
            payloads.give(packet.payload);
            return;
        }
        if (dice < 8) {
            Packet copy = packet;
            if (packet.payload != PayloadRef::none) {
                copy.payload = payloads.take();
                std::memcpy(payloads.data(copy.payload), payloads.data(packet.payload), packet.payload_bytes);
            }
            const auto later = static_cast<std::int64_t>(rng.between(0, 20'000));
            at(last + std::chrono::nanoseconds{later}, [deliver, copy] { deliver(copy); });
        }
        const auto held = static_cast<std::int64_t>(dice >= 96 ? rng.between(1, 20'000) : 0);
        at(last + std::chrono::nanoseconds{held}, [deliver, packet] { deliver(packet); });
    }

    Rng rng{1, "bad_link"};
    std::map<std::uint32_t, std::uint32_t> msns;  // of the PSNs that were acknowledged
    Picoseconds last_there{};
    Picoseconds last_back{};
    Memory peer_memory{1U << 16U};
    Dma peer_dma{*this, peer_memory};
    Egresses peer_egress{timeline};
    Receives receives;
    Completions peer_completions{timeline};
    ReadResponder read_responder{"read_responder", timeline, unpaced_reads(), kPipe, {}, ledgers, payloads};
    Responder responder{"responder", timeline, fast_timeout(), kPipe, 1, kHost, ledgers, payloads, read_responder};
};

// Rounds of Sends, Writes and Reads of random sizes. Message n of a round uses its own 1.5 KiB: data goes from the
// lower half of one memory to the upper half of the other.
class Rounds {
public:
    static constexpr std::uint32_t kEach = 20;
    static constexpr std::uint32_t kSlot = 1536;
    static constexpr std::uint32_t kHalf = 1U << 15U;

    explicit Rounds(BadLink& bench) : bench_(bench) {}

    void begin() {
        lengths_.clear();
        for (Memory* const memory : {&bench_.memory, &bench_.peer_memory}) {
            for (std::uint32_t i = 0; i < kHalf; ++i) {
                memory->data[i] = static_cast<std::byte>(bench_.rng.between(0, 255));
                memory->data[kHalf + i] = std::byte{0};
            }
        }
        for (std::uint32_t i = 0; i < kEach; ++i) {
            const WqeOpcode opcodes[] = {WqeOpcode::send, WqeOpcode::write, WqeOpcode::read};
            const WqeOpcode opcode = opcodes[bench_.rng.between(0, 2)];
            const auto length = static_cast<std::uint32_t>(bench_.rng.between(0, kSlot));
            lengths_.push_back({opcode, length});
            const Address lower = Memory::kBase + i * kSlot;
            const Address upper = Memory::kBase + kHalf + i * kSlot;
            if (opcode == WqeOpcode::send) {
                Wqe receive;
                receive.header = {WqeOpcode::receive, 0, 1, ++sends, 0, 0};
                receive.sges.push_back({upper, length, MrKey{1}});
                bench_.receives.queue.push_back(receive);
            }
            Wqe& wqe = bench_.wqes.emplace_back();
            const unsigned fence = bench_.rng.between(0, 4) == 0 ? unsigned{kWqeReadFence} : 0U;
            wqe.header = {opcode, static_cast<std::uint8_t>(kWqeSignaled | fence), 1, 0, ++posted, 0};
            wqe.sges.push_back({opcode == WqeOpcode::read ? upper : lower, length, MrKey{1}});
            wqe.remote = {opcode == WqeOpcode::read ? lower : upper, MrKey{2}};
            bench_.engine.add(kQp, wqe);
        }
    }
    void check() const {
        bool equal = true;
        for (std::uint32_t i = 0; i < kEach; ++i) {
            const auto& [opcode, length] = lengths_[i];
            const Memory& from = opcode == WqeOpcode::read ? bench_.peer_memory : bench_.memory;
            const Memory& to = opcode == WqeOpcode::read ? bench_.memory : bench_.peer_memory;
            const auto lower = from.data.begin() + i * kSlot;
            const auto upper = to.data.begin() + kHalf + i * kSlot;
            equal = equal && std::equal(lower, lower + length, upper) &&
                    std::all_of(upper + length, upper + kSlot, [](std::byte b) { return b == std::byte{0}; });
        }
        CHECK(equal);
    }
    std::uint32_t posted = 0;
    std::uint32_t sends = 0;

private:
    BadLink& bench_;
    std::vector<std::pair<WqeOpcode, std::uint32_t>> lengths_;
};

void executed_once_in_order(BadLink& bench) {
    Rounds rounds(bench);
    constexpr std::uint32_t kRounds = 150;
    // A round has come to its end by then: a request needs a few timeouts of 65.5 us at most.
    for (std::uint32_t round = 0; round < kRounds; ++round) {
        bench.at(round * 20ms, [&] { rounds.begin(); });
        bench.at(round * 20ms + 19ms, [&] {
            CHECK(bench.completions.seen.size() == rounds.posted);
            rounds.check();
        });
    }
    bench.run();
    REQUIRE(bench.completions.seen.size() == kRounds * Rounds::kEach);
    for (std::uint32_t i = 0; i < rounds.posted; ++i) {
        REQUIRE(bench.completions.seen[i].cqe.status == WcStatus::success);
        REQUIRE(bench.completions.seen[i].cqe.request == i + 1);
    }
    REQUIRE(bench.peer_completions.seen.size() == rounds.sends);
    for (std::uint32_t i = 0; i < rounds.sends; ++i) {
        CHECK(bench.peer_completions.seen[i].cqe.wqe_index == i + 1);
    }
    CHECK(bench.faults.failed.empty());
    CHECK(bench.payloads.in_use() == 0);
    CHECK(statistic(bench.completer, "timeouts") > 10);
    CHECK(statistic(bench.completer, "naks") > 10);
    check_at_rest(bench.completer);
    check_at_rest(bench.requester);
    check_at_rest(bench.reads);
    check_at_rest(bench.responder);
    check_at_rest(bench.read_responder);
    check_at_rest(bench.retransmit_buffer);
}

TEST_CASE("transport: over a bad link every request is executed once, in order, byte for byte",
          "[X8][X9][X10][X11][X13][X14][X17][X55]") {
    BadLink bench(0_B);
    executed_once_in_order(bench);
    CHECK(statistic(bench.requester, "resent_from_buffer") == 0);
}

TEST_CASE("transport: so it is with a small retransmit buffer", "[X8][X9][X10][X11][X13][X14][X17][X55]") {
    BadLink bench(1200_B);  // three packets of 256 bytes
    executed_once_in_order(bench);
    CHECK(statistic(bench.requester, "resent_from_buffer") > 10);
    CHECK(statistic(bench.requester, "resent_refetched") > 10);
}

TEST_CASE("transport: so it is with a large retransmit buffer", "[X8][X9][X10][X11][X13][X14][X17][X55]") {
    BadLink bench(1_MiB);
    executed_once_in_order(bench);
    CHECK(statistic(bench.requester, "resent_from_buffer") > 10);
}

}  // namespace ndsim::test::bad_link_test
