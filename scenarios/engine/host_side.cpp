// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/host_side.hpp"

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "ndapi/ndk/adapter.hpp"
#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndspi/provider.hpp"
#include "ndapi/wsd/provider.hpp"

namespace ndsim {

namespace {

constexpr NDK_VERSION kWanted{1, 2};

// What a program asks for by an IID: NetworkDirect's provider, a new one each time, or its one of Winsock Direct.
class Providers {
public:
    HRESULT operator()(os::Process& process, REFIID iid, void** out) {
        if (iid != wsd::kProviderId) {
            return nd::create_provider(process, iid, out);
        }
        if (sockets_ == nullptr) {
            sockets_ = &wsd::open_provider(process);
        }
        *out = static_cast<wsd::Wsp*>(sockets_);
        return S_OK;
    }

private:
    wsd::Provider* sockets_ = nullptr;
};

}  // namespace

void Notifications::notify(PVOID context, NTSTATUS status) {
    auto& notifications = *static_cast<Notifications*>(context);
    ++notifications.count;
    notifications.failures += status == STATUS_SUCCESS ? 0 : 1;
    if (notifications.on_notification) {
        notifications.on_notification();
    }
}

HostSide::HostSide(World& world, const Host& host)
    : world_(world), host_(host), driver_(world.driver(host.name)), main_(world.node(host.name).core(kMainCore)) {}

NDIS_STATUS HostSide::open_adapter(NDK_VERSION version, NDK_ADAPTER** adapter) {
    return ndk::open_adapter(driver_, version, adapter);
}
void HostSide::close_adapter(NDK_ADAPTER* adapter) {
    ndk::close_adapter(adapter);
}

NDIS_NDK_PERFORMANCE_COUNTERS HostSide::ndk_statistics() {
    return ndk::performance_counters(driver_);
}

NDIS_NDK_CAPABILITIES HostSide::ndk_capabilities(NDK_ADAPTER_INFO& info) {
    return ndk::capabilities(driver_, info);
}

int HostSide::run_program(const std::function<int(ProgramHost&)>& program) {
    std::vector<Core*> cores;
    for (std::size_t i = 0; i < kThreads; ++i) {
        cores.push_back(&world_.node(host_.name).core(thread_core(i)));
    }
    const auto write = [this](int stream, std::string_view text) {
        if (output_) {
            output_(host_.name, stream, text);
        } else {
            (stream == 1 ? std::cout : std::cerr) << text;
        }
    };
    driver_.spinners().look_at_memory();
    processes_.push_back(
        std::make_unique<os::Process>(os::Process::Surroundings{driver_, std::move(cores), write, Providers()}));
    os::Process& process = *processes_.back();
    return process.run([&process, program] { return program(process); });
}

std::string HostSide::waiting() const {
    const std::string in_program = processes_.empty() ? std::string() : processes_.back()->waiting();
    return in_program.empty() ? main_.waiting() : in_program;
}

sockaddr_in HostSide::address(std::string_view host) const {
    sockaddr_in in{};
    const std::uint32_t ip = host.empty() ? driver_.ip_address() : world_.ip_address(host);
    in.sin_family = ip == 0 ? USHORT{0} : AF_INET;
    in.sin_addr.s_addr = htonl(ip);
    return in;
}

void HostSide::compute(Picoseconds span) {
    main_.spend(CoreActivity::other, span);
    main_.sync();
}

void HostSide::sleep(Picoseconds span) {
    main_.sync();
    const Picoseconds until = main_.clock() + span;
    while (main_.clock() < until) {
        main_.sleep(until);
    }
}

void HostSide::wait(HostEvent& event, std::string_view what) {
    main_.sync();
    while (!event.take()) {
        // The end of a run says of set-up itself that it waits.
        main_.waits_for((ready_ ? "waits for " : "") + std::string(what));
        main_.sleep();
    }
    main_.waits_for({});
}

// What a callback signals wakes a blocked thread, which takes the host its time.
void HostSide::wake() {
    const bool by_callback = &driver_.core() != &main_;
    main_.wake(driver_.core().clock() + (by_callback ? driver_.params().cpu.event_wakeup : Picoseconds{}));
}

void HostSide::require(NTSTATUS status) const {
    if (status != STATUS_SUCCESS) {
        throw std::runtime_error(doing_ + " failed with status " + std::to_string(static_cast<std::uint32_t>(status)));
    }
}

void HostSide::set_up() {
    driver_.use_simulated_addresses();
    doing_ = "opening the adapter of " + host_.name;
    require(open_adapter(kWanted, &adapter_));
    doing_ = "creating a PD";
    obtain("its PD to be created", pd_, [this](Pending& pending, NDK_PD** pd) {
        return adapter_->Dispatch->NdkCreatePd(adapter_, Pending::created, &pending, pd);
    });
    for (const Buffer& buffer : host_.buffers) {
        add_buffer(buffer.name, buffer.size.count, {buffer.fill, world_.scenario().seed});
    }
    if (host_.program) {
        watch_places(host_.program->ops);
    }
    for (const MemoryObject& object : host_.memory) {
        add_memory(object);
    }
    for (const SharedReceiveQueue& srq : host_.srqs) {
        create_srq(srq);
    }
    for (const QueuePair& qp : host_.qps) {
        create_qp(qp);
    }
    make_connections();
    ready_ = true;
}

void HostSide::create_cq(const std::string& name) {
    if (cqs_.contains(name)) {
        return;
    }
    driver_.watch_cqs(driver_.node().cqs.of(name));
    CqHandle& handle = cqs_[name];
    doing_ = "creating CQ " + name;
    obtain("its CQ to be created", handle.cq, [&](Pending& pending, NDK_CQ** cq) {
        return adapter_->Dispatch->NdkCreateCq(adapter_, cq_depth(host_, name), Notifications::notify,
                                               &handle.notifications, nullptr, Pending::created, &pending, cq);
    });
    const auto declared = std::ranges::find(host_.cqs, name, &CompletionQueue::name);
    if (declared != host_.cqs.end() && declared->interrupt_moderation.is_on()) {
        require(moderate(handle, declared->interrupt_moderation));
    }
}

NTSTATUS HostSide::moderate(CqHandle& handle, const InterruptModeration& moderation) {
    constexpr Picoseconds kUnit = std::chrono::microseconds{1};
    const bool on = moderation.is_on();
    const bool timed = moderation.interval != Picoseconds{};
    const auto interval = timed ? static_cast<ULONG>(moderation.interval / kUnit) : MAXULONG;
    const ULONG count = moderation.count != 0 ? moderation.count : MAXULONG;
    return handle.cq->Dispatch->NdkControlCqInterruptModeration(handle.cq, on ? interval : 0, on ? count : 0);
}

NTSTATUS HostSide::resize(CqHandle& handle, std::uint32_t depth) {
    Pending pending(*this);
    return pending.outcome(handle.cq->Dispatch->NdkResizeCq(handle.cq, depth, Pending::done, &pending),
                           "its CQ to be resized");
}

std::uint64_t HostSide::cq_failures() const {
    std::uint64_t sum = 0;
    for (const auto& [name, cq] : cqs_) {
        sum += cq.notifications.failures;
    }
    return sum;
}

void HostSide::create_srq(const SharedReceiveQueue& srq) {
    driver_.watch_srqs(driver_.node().srqs.of(srq.name));
    SrqHandle& handle = srqs_[srq.name];
    doing_ = "creating SRQ " + srq.name;
    obtain("its SRQ to be created", handle.srq, [&](Pending& pending, NDK_SRQ** created) {
        return pd_->Dispatch->NdkCreateSrq(pd_, srq.depth, srq.max_sge, srq.threshold, Notifications::notify,
                                           &handle.notifications, nullptr, Pending::created, &pending, created);
    });
}

NTSTATUS HostSide::modify_srq(const std::string& name, std::uint32_t depth, std::uint32_t threshold) {
    NDK_SRQ* const srq = srqs_.at(name).srq;
    Pending pending(*this);
    return pending.outcome(srq->Dispatch->NdkModifySrq(srq, depth, threshold, Pending::done, &pending),
                           "its SRQ to be modified");
}

void HostSide::create_qp(const QueuePair& qp) {
    create_cq(qp.send_cq);
    create_cq(qp.receive_cq);
    driver_.watch_qps(driver_.node().qps.of(qp.name));
    QpHandle& handle = qps_[qp.name];
    handle.declared = &qp;
    doing_ = "creating QP " + qp.name;
    handle.peer_left = std::make_unique<HostEvent>(*this);
    NDK_CQ* const receive_cq = cqs_.at(qp.receive_cq).cq;
    NDK_CQ* const send_cq = cqs_.at(qp.send_cq).cq;
    obtain("its QP to be created", handle.qp, [&](Pending& pending, NDK_QP** created) {
        return qp.srq.empty()
                   ? pd_->Dispatch->NdkCreateQp(pd_, receive_cq, send_cq, &handle, qp.rq.depth, qp.sq.depth, qp.max_sge,
                                                qp.max_sge, qp.inline_max, Pending::created, &pending, created)
                   : pd_->Dispatch->NdkCreateQpWithSrq(pd_, receive_cq, send_cq, srqs_.at(qp.srq).srq, &handle,
                                                       qp.sq.depth, qp.max_sge, qp.inline_max, Pending::created,
                                                       &pending, created);
    });
}

const QueuePair* HostSide::declared(QpNum number) const {
    for (const auto& [name, handle] : qps_) {
        if (handle.qp != nullptr && ndk::face<ndk::QpFace>(handle.qp).core.number() == number) {
            return handle.declared;
        }
    }
    return nullptr;
}

}  // namespace ndsim
