// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "models/parts/cq_watch.hpp"
#include "models/parts/qp_watch.hpp"
#include "models/parts/srq_watch.hpp"
#include "models/proto/cqe.hpp"
#include "ndapi/core/cm_router.hpp"
#include "ndapi/core/device.hpp"
#include "ndapi/core/driver.hpp"
#include "ndapi/core/qp.hpp"
#include "tests/support/bench.hpp"

// A device without a NIC for the driver, and a host around both.
namespace ndsim::test {

// DeviceDouble: real memory and interrupts, and no NIC. It writes down stores and commands, and answers each command
// kAnswer after its call, unless the test holds the answers back. The test plays the NIC's part: completions,
// interrupts and events.
class DeviceDouble final : public core::Device, public ControlPort {
public:
    static constexpr HostId kHost{0};
    static constexpr Picoseconds kAnswer = std::chrono::nanoseconds{100};

    DeviceDouble(Bench& bench, const NodeParams& params)
        : bench_(bench),
          params_(params),
          memory_("memory", bench.timeline),
          interrupts_("interrupts", bench.timeline, params_.cpu) {}

    [[nodiscard]] HostId host() const override { return kHost; }
    [[nodiscard]] const NodeParams& params() const override { return params_; }
    [[nodiscard]] Timeline& timeline() override { return bench_.timeline; }
    [[nodiscard]] HostMemory& memory() override { return memory_; }
    [[nodiscard]] InterruptController& interrupts() override { return interrupts_; }
    [[nodiscard]] ControlPort& control() override { return *this; }
    // The store is taken, and out of the core's buffer, at once.
    void store(const Mmio& mmio, Core& core) override {
        std::vector<std::byte> pushed;
        if (mmio.pushed != PayloadRef::none) {
            const std::byte* const from = bench_.payloads.data(mmio.pushed);
            pushed.assign(from, from + std::size_t{mmio.pushed_units} * kWqeUnit);
            bench_.payloads.give(mmio.pushed);
        }
        stores.push_back({core.clock(), mmio, std::move(pushed)});
        core.store_left();
        core.store_taken(core.clock());
    }
    [[nodiscard]] PayloadRef push_buffer(std::span<const std::byte> wqe) override {
        const PayloadRef buffer = bench_.payloads.take();
        std::memcpy(bench_.payloads.data(buffer), wqe.data(), wqe.size());
        return buffer;
    }
    [[nodiscard]] WindowKey state_of(MrKey /*window*/) const override { return WindowKey::to_come; }
    void report_to(HostEvents& host_events) override { events = &host_events; }
    [[nodiscard]] Traffic received() const override { return {}; }
    [[nodiscard]] Traffic sent() const override { return {}; }

    void submit(Picoseconds at, Command command, std::function<void()> done) override {
        if (const auto* const cq = std::get_if<CqAttributes>(&command)) {
            rings_[cq->cq] = {*cq, 0};
        }
        commands.push_back({at, std::move(command)});
        answer(at, std::move(done));
    }
    void quiesce(Picoseconds at, QpNum qp, Address /*event*/, std::function<void()> done) override {
        quiesces.push_back({at, qp});
        answer(at, std::move(done));
    }
    // Answers what is held back, in order, and later commands as usual.
    void answer_all() {
        holds_answers = false;
        for (const auto& done : std::exchange(held_, {})) {
            answer(bench_.now(), done);
        }
    }

    // A CQE becomes visible in the queue's ring at `when`.
    void complete(Picoseconds when, CqNum cq, const Cqe& cqe) {
        bench_.at(when, [this, when, cq, cqe] {
            Ring& ring = rings_.at(cq);
            const std::uint32_t place = ring.written % ring.attributes.entries;
            const Address to = ring.attributes.ring + std::uint64_t{place} * kCqeSize;
            write_cqe(memory_.bytes(to, kCqeSize), cqe, cqe_owner_of(ring.written, ring.attributes.entries));
            ++ring.written;
            bench_.ledgers.complete({kHost, cqe.request}, when);
            memory_.written(to, kCqeSize, when);
        });
    }
    // The queue's interrupt message is visible at `when`.
    void interrupt(Picoseconds when, CqNum cq) {
        bench_.at(when, [this, when, cq] { interrupts_.interrupt(rings_.at(cq).attributes.vector, when); });
    }
    // A datagram of a peer arrives at `when`.
    void datagram(Picoseconds when, const core::CmMessage& message) {
        bench_.at(when, [this, message] {
            std::array<std::byte, SendDatagram::kBytes> bytes{};
            core::write_cm_message(bytes, message);
            events->datagram(bytes);
        });
    }

    struct Store {
        Picoseconds at{};
        Mmio mmio;
        std::vector<std::byte> pushed;
    };
    // A command with the time of its call.
    template <class Kind>
    struct Issued {
        Picoseconds at{};
        Kind what;
    };
    template <class Kind>
    [[nodiscard]] std::vector<Issued<Kind>> commands_of() const {
        std::vector<Issued<Kind>> found;
        for (const Issued<Command>& command : commands) {
            if (const auto* const what = std::get_if<Kind>(&command.what)) {
                found.push_back({command.at, *what});
            }
        }
        return found;
    }
    // The messages of its connection manager.
    [[nodiscard]] std::vector<Issued<core::CmMessage>> messages() const {
        std::vector<Issued<core::CmMessage>> found;
        for (const auto& datagram : commands_of<SendDatagram>()) {
            found.push_back({datagram.at, core::read_cm_message(datagram.what.bytes)});
        }
        return found;
    }
    [[nodiscard]] std::vector<Store> stores_of(MmioKind kind) const {
        std::vector<Store> found;
        std::ranges::copy_if(stores, std::back_inserter(found), [kind](const Store& s) { return s.mmio.kind == kind; });
        return found;
    }

    std::vector<Store> stores;
    std::vector<Issued<Command>> commands;
    std::vector<Issued<QpNum>> quiesces;
    bool holds_answers = false;
    HostEvents* events = nullptr;

private:
    struct Ring {
        CqAttributes attributes;
        std::uint32_t written = 0;
    };
    void answer(Picoseconds at, std::function<void()> done) {
        if (holds_answers) {
            held_.push_back(std::move(done));
        } else {
            bench_.at(at + kAnswer, std::move(done));
        }
    }

    Bench& bench_;
    const NodeParams params_;
    HostMemory memory_;
    InterruptController interrupts_;
    std::map<CqNum, Ring> rings_;
    std::vector<std::function<void()>> held_;
};

// Costs that tell each other apart in a sum. No WQE is pushed.
inline NodeParams driver_params() {
    using std::chrono::nanoseconds;
    NodeParams params;
    params.cpu.wqe_build = nanoseconds{50};
    params.cpu.mmio_uc = nanoseconds{80};
    params.cpu.mmio_wc64 = nanoseconds{75};
    params.cpu.poll_detect = nanoseconds{60};
    params.cpu.poll_cq = nanoseconds{40};
    params.cpu.poll_empty = nanoseconds{10};
    params.cpu.msix_to_isr = nanoseconds{1200};
    params.nic.queues.wqe_push_max = 0;
    return params;
}

// DriverBench: a driver on a DeviceDouble, with the core of its callbacks and the core of one program.
struct DriverBench : Bench {
    static constexpr std::uint32_t kIp = 0x0A00'0001;
    static constexpr std::uint32_t kPeerIp = 0x0A00'0002;
    static constexpr HostId kPeerHost{1};

    explicit DriverBench(const NodeParams& params = driver_params(), StatusProfile profile = StatusProfile::documented)
        : its_device_(std::make_unique<DeviceDouble>(*this, params)),
          device(*its_device_),
          driver(std::move(its_device_), running, callback_core, ledgers.of(DeviceDouble::kHost), profile, kIp,
                 {&qps, &cqs, &srqs}) {
        driver.connections().add_neighbour(kPeerIp, kPeerHost);
    }

    // Once: the program runs from `begin` on, as a thread of its core.
    void program(Picoseconds begin, std::function<void()> story) {
        core.run_thread([this, begin, story = std::move(story)] {
            core.sleep(begin);
            story();
            core.sync();
        });
    }

private:
    std::unique_ptr<DeviceDouble> its_device_;  // until the driver has it

public:
    DeviceDouble& device;
    RunningCore running;
    Core callback_core{"callbacks", timeline, running, 56};
    Core core{"core", timeline, running, 56};
    QpWatch qps{"qps", timeline, {}};
    CqWatch cqs{"cqs", timeline, {}};
    SrqWatch srqs{"srqs", timeline, {}};
    core::Driver driver;
};

// Endpoint of a program: a queue pair with one completion queue, and 4096 bytes that are registered.
struct QueuePair {
    static constexpr core::QpLimits kLimits{4, 4, 2, 2, 64};

    // Something happened on the callback core.
    struct Note {
        Picoseconds at{};
        NTSTATUS status = STATUS_SUCCESS;
        friend bool operator==(const Note&, const Note&) = default;
    };

    explicit QueuePair(DriverBench& bench, const core::QpLimits& limits = kLimits, std::uint32_t cq_depth = 16)
        : pd(bench.driver),
          cq(bench.driver, cq_depth,
             [this, &bench](NTSTATUS status) {
                 notes.push_back({bench.driver.core().clock(), status});
             }),
          qp(pd, cq, cq, nullptr, context(77), limits),
          mr(pd) {
        cq.report_overlaps();
        qp.report_overlaps();
        cq.create([](NTSTATUS) {});
        qp.create([](NTSTATUS) {});
        mr.register_memory(bytes.data(), bytes.size(), kLocalWrite, [](NTSTATUS) {});
    }

    // As if a connection were made.
    void connect() { qp.set_state(core::Qp::State::connected); }
    [[nodiscard]] core::LocalPiece piece(std::uint64_t length, std::size_t offset = 0) {
        return {bytes.data() + offset, length, mr.key()};
    }
    NTSTATUS send(std::uintptr_t id, const core::RequestOptions& options = {}) {
        return qp.initiator().send(context(id), std::array{piece(64)}, options);
    }
    NTSTATUS receive(std::uintptr_t id, core::Tells tells = core::Tells::at_once) {
        return qp.receive(context(id), std::array{piece(64)}, tells);
    }
    // The completion of the request with this number in its queue.
    [[nodiscard]] Cqe cqe(WqeOpcode opcode, std::uint32_t index, WcStatus status = WcStatus::success) const {
        Cqe made;
        made.qp = qp.number();
        made.wqe_index = index;
        made.opcode = opcode;
        made.status = status;
        return made;
    }
    [[nodiscard]] std::vector<core::Completion> poll(std::size_t most = 8) {
        std::vector<core::Completion> results(most);
        results.resize(cq.poll(results));
        return results;
    }
    [[nodiscard]] static void* context(std::uintptr_t id) { return reinterpret_cast<void*>(id); }

    std::vector<std::byte> bytes = pattern(4096);
    std::vector<Note> notes;  // the queue's notifications
    core::Pd pd;
    core::Cq cq;
    core::Qp qp;
    core::Mr mr;
};

}  // namespace ndsim::test
