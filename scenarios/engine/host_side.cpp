// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/host_side.hpp"

#include <algorithm>
#include <stdexcept>

#include "ndapi/ndk/adapter.hpp"

namespace ndsim {

namespace {

constexpr std::uint16_t kFirstPort = 4000;
constexpr std::uint32_t kReadLimit = 16;
constexpr NDK_VERSION kWanted{1, 2};

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
        main_.waits_for(std::string(what));
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
        add_buffer(buffer.name, buffer.size.count, buffer.fill, world_.scenario().seed);
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
    // Connections, in the order of the file; the side that names its peer is the active one.
    std::uint16_t port = kFirstPort;
    for (const Host& host : world_.scenario().hosts) {
        for (const QueuePair& qp : host.qps) {
            if (qp.connect.empty()) {
                continue;
            }
            const std::string_view peer = qp.connect;
            const std::string_view peer_host = peer.substr(0, peer.find('.'));
            const std::string_view peer_qp = peer.substr(peer.find('.') + 1);
            if (host.name == host_.name) {
                connect(qp.name, peer_host, port);
            } else if (peer_host == host_.name) {
                accept(peer_qp, port);
            }
            ++port;
        }
    }
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
    handle.send_cq = qp.send_cq;
    handle.receive_cq = qp.receive_cq;
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

void HostSide::connect(const std::string& name, std::string_view peer_host, std::uint16_t port) {
    doing_ = "connecting " + name;
    awaited_ = "its connection to " + std::string(peer_host);
    QpHandle& qp = qps_.at(name);
    obtain("its connector to be created", qp.connector, [this](Pending& created, NDK_CONNECTOR** connector) {
        return adapter_->Dispatch->NdkCreateConnector(adapter_, Pending::created, &created, connector);
    });
    sockaddr_in from = address("");
    sockaddr_in to = address(peer_host);
    to.sin_port = htons(port);
    Pending pending(*this);
    // The peer may not be listening yet: a refused connect is tried again.
    NTSTATUS status = STATUS_CONNECTION_REFUSED;
    while (status == STATUS_CONNECTION_REFUSED) {
        status = pending.outcome(
            qp.connector->Dispatch->NdkConnect(qp.connector, qp.qp, reinterpret_cast<PSOCKADDR>(&from), sizeof from,
                                               reinterpret_cast<PSOCKADDR>(&to), sizeof to, kReadLimit, kReadLimit,
                                               nullptr, 0, Pending::done, &pending),
            awaited_);
        if (status == STATUS_CONNECTION_REFUSED) {
            sleep(std::chrono::microseconds{10});
        }
    }
    require(status);
    require(pending.outcome(
        qp.connector->Dispatch->NdkCompleteConnect(qp.connector, &HostSide::peer_left, &qp, Pending::done, &pending),
        "its connection to be completed"));
}

void HostSide::peer_left(void* qp) {
    static_cast<QpHandle*>(qp)->peer_left->signal();
}

NTSTATUS HostSide::disconnect(const std::string& name) {
    NDK_CONNECTOR* const connector = qps_.at(name).connector;
    Pending pending(*this);
    return pending.outcome(connector->Dispatch->NdkDisconnect(connector, Pending::done, &pending),
                           "waits for " + name + " to be disconnected at both ends");
}

void HostSide::accept(std::string_view name, std::uint16_t port) {
    doing_ = "accepting for " + std::string(name);
    awaited_ = "a connect request for " + std::string(name);
    struct Incoming {
        HostEvent event;
        NDK_CONNECTOR* connector = nullptr;
    } incoming{HostEvent(*this)};
    const auto event = [](PVOID context, NDK_CONNECTOR* connector) {
        auto& there = *static_cast<Incoming*>(context);
        there.connector = connector;
        there.event.signal();
    };
    NDK_LISTENER* listener = nullptr;
    obtain("its listener to be created", listener, [&](Pending& created, NDK_LISTENER** out) {
        return adapter_->Dispatch->NdkCreateListener(adapter_, event, &incoming, Pending::created, &created, out);
    });
    sockaddr_in local = address("");
    local.sin_port = htons(port);
    Pending pending(*this);
    require(listener->Dispatch->NdkListen(listener, reinterpret_cast<PSOCKADDR>(&local), sizeof local, Pending::done,
                                          &pending));
    incoming.event.wait(awaited_);
    listener->Dispatch->NdkControlConnectEvents(listener, TRUE);
    QpHandle& qp = qps_.find(name)->second;
    qp.connector = incoming.connector;
    require(pending.outcome(qp.connector->Dispatch->NdkAccept(qp.connector, qp.qp, kReadLimit, kReadLimit, nullptr, 0,
                                                              &HostSide::peer_left, &qp, Pending::done, &pending),
                            "its connection to be completed by the peer"));
    // The listener goes when its connector does; nobody waits for that.
    (void)listener->Dispatch->NdkCloseListener(
        &listener->Header, [](PVOID) {}, nullptr);
}

}  // namespace ndsim
