// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "models/ports/completions.hpp"
#include "models/ports/context.hpp"
#include "models/ports/control.hpp"
#include "models/ports/egress.hpp"
#include "models/ports/ingress.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/requests.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/pcie_doubles.hpp"

// Doubles of the NIC's units for each other.
namespace ndsim::test {

inline constexpr QpNum kQp{kFirstQp};
inline constexpr QpNum kQp2{kFirstQp + 1};
inline constexpr CqNum kSendCq{1};
inline constexpr CqNum kReceiveCq{2};
inline constexpr PdNum kPd{7};
inline constexpr HostId kHost{0};

// Contexts that are all there, but for those that the test takes away.
struct Contexts final : ContextPort {
    bool use(QpNum qp, ContextClient& client) override {
        if (!missing.contains(qp)) {
            return true;
        }
        waiting[qp] = &client;
        return false;
    }
    void bring(QpNum qp) {
        missing.erase(qp);
        if (const auto client = waiting.extract(qp)) {
            client.mapped()->context_ready(qp);
        }
    }
    std::set<QpNum> missing;
    std::map<QpNum, ContextClient*> waiting;
};

// A DMA engine without limits: a read copies at once, its data is there after `latency`; or it refuses, or the test
// answers by hand. Writes are issued and visible after fixed times.
class Dma final : public DmaPort {
public:
    Dma(Bench& bench, Memory& memory) : bench_(bench), memory_(memory) {}

    bool try_read(ReadClass cls, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId,
                  ReadClient& client) override {
        if (refuses) {
            ++refused;
            refused_client_ = &client;
            refused_class_ = cls;
            return false;
        }
        for (const ReadPiece& piece : pieces) {
            std::byte* const from = memory_.bytes(piece.from, piece.length);
            if (from != nullptr) {
                std::memcpy(piece.into, from, piece.length);
            }
        }
        reads.push_back({cls, {pieces.begin(), pieces.end()}, token, bench_.now(), &client});
        if (pieces.empty()) {
            client.read_arrives(token, {bench_.now(), bench_.now()});
        } else if (latency) {
            bench_.at(bench_.now() + *latency, [this, token, &client] {
                client.read_arrives(token, {bench_.now(), bench_.now()});
            });
        }
        return true;
    }
    bool try_read_behind_writes(QpNum, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId request,
                                ReadClient& client) override {
        return try_read(ReadClass::payload, pieces, token, request, client);
    }
    void write(const WriteTrain& train, WriteClient* client) override {
        writes.push_back({train, bench_.now(), client});
        if (!train.interrupt && train.payload != PayloadRef::none) {
            if (std::byte* const to = memory_.bytes(train.to, train.length)) {
                std::memcpy(to, bench_.payloads.data(train.payload) + train.offset, train.length);
            }
            if (train.last_use) {
                bench_.payloads.give(train.payload);
            }
        }
        if (client != nullptr && !holds_writes) {
            client->write_scheduled(train.token, train.ready.end + issue_time, train.ready.end + visible_time);
        }
    }
    [[nodiscard]] DmaMark given() const override { return {reads.size(), writes.size()}; }
    [[nodiscard]] std::optional<Picoseconds> settled(const DmaMark&) const override { return settled_at; }
    // By hand: the n-th read's data is there during `data`, told now.
    void answer(std::size_t n, Interval data) { reads.at(n).client->read_arrives(reads.at(n).token, data); }
    void schedule(std::size_t n, Picoseconds issued, Picoseconds visible) {
        writes.at(n).client->write_scheduled(writes.at(n).train.token, issued, visible);
    }
    // What was refused may be tried again.
    void space() {
        refuses = false;
        refused_client_->read_space(refused_class_);
    }

    struct Read {
        ReadClass cls{};
        std::vector<ReadPiece> pieces;
        std::uint32_t token = 0;
        Picoseconds at{};
        ReadClient* client = nullptr;
    };
    struct Write {
        WriteTrain train;
        Picoseconds at{};
        WriteClient* client = nullptr;
    };
    std::optional<Picoseconds> latency = std::chrono::nanoseconds{400};
    Picoseconds issue_time = std::chrono::nanoseconds{10};
    Picoseconds visible_time = std::chrono::nanoseconds{200};
    bool refuses = false;
    bool holds_writes = false;
    std::optional<Picoseconds> settled_at = Picoseconds{};
    int refused = 0;
    std::vector<Read> reads;
    std::vector<Write> writes;

private:
    Bench& bench_;
    Memory& memory_;
    ReadClient* refused_client_ = nullptr;
    ReadClass refused_class_{};
};

struct Completions final : CompletionPort {
    explicit Completions(const Timeline& its_timeline) : timeline(its_timeline) {}
    void complete(CqNum cq, const Cqe& cqe, Picoseconds at, bool behind_payload) override {
        seen.push_back({cq, cqe, at, behind_payload, timeline.now()});
    }
    void write_head(Address to, std::uint32_t head, Picoseconds at) override { heads.push_back({to, head, at}); }
    struct Head {
        Address to{};
        std::uint32_t head = 0;
        Picoseconds at{};
    };
    struct Seen {
        CqNum cq{};
        Cqe cqe;
        Picoseconds at{};
        bool behind_payload = false;
        Picoseconds told{};
    };
    const Timeline& timeline;
    std::vector<Seen> seen;
    std::vector<Head> heads;
};

struct Work final : WorkPort, TxRoomPort {
    explicit Work(const Timeline& its_timeline) : timeline(its_timeline) {}
    void tx_room() override { resume(); }
    void rewind(QpNum qp, std::uint32_t place) override {
        rewound.push_back({qp, place, timeline.now()});
        if (on_rewind) {
            on_rewind(qp, place);
        }
    }
    void resume() override {
        resumed.push_back(timeline.now());
        if (on_resume) {
            on_resume();
        }
    }
    void resume_qp(QpNum qp) override {
        resumed_qps.push_back(qp);
        if (on_resume_qp) {
            on_resume_qp(qp);
        }
    }
    void message_built(Picoseconds when) override { built.push_back(when); }
    const Timeline& timeline;
    std::vector<Picoseconds> resumed;
    std::vector<QpNum> resumed_qps;
    std::vector<Picoseconds> built;
    std::function<void()> on_resume;
    struct Rewind {
        QpNum qp{};
        std::uint32_t place = 0;
        Picoseconds at{};
    };
    std::vector<Rewind> rewound;
    std::function<void(QpNum, std::uint32_t place)> on_rewind;
    std::function<void(QpNum)> on_resume_qp;
};

// Tells units that a queue pair has failed, in their order, as the control unit does.
struct Faults final : QpFaultPort {
    void qp_failed(QpNum qp, WcStatus why) override {
        failed.push_back(qp);
        reasons.push_back(why);
        for (QpLifecycle* const unit : units) {
            unit->fail_qp(qp);
        }
    }
    std::vector<QpLifecycle*> units;
    std::vector<QpNum> failed;
    std::vector<WcStatus> reasons;
};

struct Protection final : ProtectionPort {
    // A peer's addresses are those of the memory here.
    bool allows(const KeyUse& use, std::vector<HostRange>* ranges) const override {
        asked.push_back({use.key, use.length, use.access});
        const bool allowed = use.length == 0 || use.key != bad;
        if (allowed && use.length > 0 && ranges != nullptr) {
            ranges->push_back({use.address, static_cast<std::uint32_t>(use.length)});
        }
        return allowed;
    }
    [[nodiscard]] std::uint64_t changes() const override { return raw(bad); }  // nothing else changes
    struct Asked {
        MrKey key{};
        std::uint64_t length = 0;
        std::uint8_t access = 0;
    };
    MrKey bad{0xBAD};
    mutable std::vector<Asked> asked;
};

// Keys that requests and messages change: all can be, but for one.
struct Keys final : KeyPort {
    WcStatus carry_out(const KeyOperation& operation, PdNum, QpNum) override {
        done.push_back(operation.key);
        return operation.key == bad ? WcStatus::invalidate_error : WcStatus::success;
    }
    bool invalidate(MrKey key, PdNum, QpNum, InvalidatedBy) override {
        invalidated.push_back(key);
        return key != bad;
    }
    MrKey bad{0xBAD};
    std::vector<MrKey> done;
    std::vector<MrKey> invalidated;
};

// The transmitter: takes packets until its `room` is used up.
struct Egresses final : EgressPort {
    explicit Egresses(const Timeline& its_timeline) : timeline(its_timeline) {}
    bool has_room(Bytes wire_bytes) override {
        refused += wire_bytes > room ? 1 : 0;
        return wire_bytes <= room;
    }
    void reserve(Bytes wire_bytes) override {
        REQUIRE(wire_bytes <= room);
        room -= wire_bytes;
    }
    void release(Bytes wire_bytes) override { room += wire_bytes; }
    [[nodiscard]] const ExactRate& lane_rate() const override { return rate; }
    [[nodiscard]] Framing framing() const override { return {}; }
    void send(const Packet& packet, Interval ready) override {
        sent.push_back({packet, ready, timeline.now()});
        if (on_send) {
            on_send(packet, ready);
        }
        if (requests != nullptr && (packet.ack_request || packet.opcode == Opcode::read_request)) {
            requests->request_sent(packet, ready.end);
        }
    }
    void send_control(const Packet& packet, Picoseconds ready) override {
        sent.push_back({packet, {ready, ready}, timeline.now()});
    }
    void send_ack(QpNum qp, Picoseconds ready) override {
        acks.push_back({qp, ready});
        if (on_ack) {
            on_ack(qp, ready);
        }
    }

    struct Sent {
        Packet packet;
        Interval ready;
        Picoseconds at{};
    };
    struct Ack {
        QpNum qp{};
        Picoseconds ready{};
    };
    const Timeline& timeline;
    Bytes room{1U << 30U};
    RequestSentPort* requests = nullptr;  // told as if each packet left when it is ready
    ExactRate rate = ExactRate::per_byte(100_Gbps);
    int refused = 0;
    std::vector<Sent> sent;
    std::vector<Ack> acks;
    std::function<void(const Packet&, Interval)> on_send;
    std::function<void(QpNum, Picoseconds)> on_ack;
};

// An ACK or NAK as it was built for the lane.
struct BuiltAck {
    Packet packet;
    Picoseconds at{};
};

struct RxBuffer final : RxBufferPort {
    void drained(Bytes bytes, Picoseconds when) override { seen.push_back({bytes, when}); }
    [[nodiscard]] Bytes total() const {
        Bytes sum;
        for (const Seen& each : seen) {
            sum += each.bytes;
        }
        return sum;
    }
    struct Seen {
        Bytes bytes;
        Picoseconds when{};
    };
    std::vector<Seen> seen;
};

}  // namespace ndsim::test
