// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "ndapi/windows/abi/byteorder.h"
#include "scenarios/hosts/host_side.hpp"

// How a scenario's host makes its memory, queues and connections. A run may be stopped while a call waits, and then its
// stack is not unwound: owners of memory are members.
namespace ndsim {

namespace {

constexpr std::uint16_t kFirstPort = 4000;

}  // namespace

void HostSide::require(NTSTATUS status) const {
    if (status != STATUS_SUCCESS) {
        throw std::runtime_error(doing_ + " failed with status " + std::to_string(static_cast<std::uint32_t>(status)));
    }
}

void HostSide::set_up() {
    driver_.use_simulated_addresses();
    doing_ = "opening the adapter of " + host_.name;
    require(face_->open());
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
        add_srq(srq);
    }
    for (const QueuePair& qp : host_.qps) {
        add_qp(qp);
    }
    driver_.connect_before_run(true);
    make_connections();
    driver_.connect_before_run(false);
}

HostBuffer& HostSide::add_buffer(std::string new_name, std::uint64_t size, const BufferContent& content) {
    doing_ = "registering " + new_name;
    auto made = std::make_unique<HostBuffer>(HostBuffer{PageMemory(size), nullptr, {}});
    const auto& [name, owned] = *buffers_.insert_or_assign(std::move(new_name), std::move(made)).first;
    HostBuffer& buffer = *owned;
    fill_memory(buffer.memory, host_.name + "." + name, content);
    driver_.memory().attach_cached(content.touched == Touched::by_software);
    const NTSTATUS registered = face_->add_buffer(name, buffer);
    driver_.memory().attach_cached(true);
    require(registered);
    if (buffer.region != nullptr) {
        world_.publish({host_.name, name},
                       {buffer.region->remote_address_of(buffer.memory.data()), buffer.region->key()});
    }
    return buffer;
}

// Writes count from now on, even before the first spin.
void HostSide::watch_places(const std::vector<Op>& ops) {
    for (const Op& op : ops) {
        if (const auto* const spin = std::get_if<SpinOp>(&op.what)) {
            HostBuffer& buffer = *buffers_.at(spin->piece.buffer);
            const Address base = buffer.region->address_of(buffer.memory.data());
            buffer.written.begin(base, driver_.params().cpu.poll_detect);
            buffer.written.add(spin->piece.offset.count + spin->piece.size.count - 1);
            driver_.memory().watch(base, buffer.written);
        } else if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
            watch_places(repeat->body);
        }
    }
}

void HostSide::add_memory(const MemoryObject& object) {
    doing_ = "creating " + object.name;
    RemoteRange& open = memory_[object.name];
    require(face_->add_memory(object, open));
    world_.publish({host_.name, object.name}, open);
}

void HostSide::opened(const std::string& memory, const Piece& piece, MrKey key) {
    const HostBuffer& buffer = *buffers_.at(piece.buffer);
    memory_.at(memory) = {buffer.region->remote_address_of(buffer.memory.data() + piece.offset.count), key};
    world_.publish({host_.name, memory}, memory_.at(memory));
}

void HostSide::add_cq(const std::string& name) {
    if (!cqs_.insert(name).second) {
        return;
    }
    driver_.watches().cqs = &world_.node(host_.name).cqs.of(name);
    doing_ = "creating CQ " + name;
    require(face_->add_cq(name, cq_depth(host_, name)));
    const auto declared = std::ranges::find(host_.cqs, name, &CompletionQueue::name);
    if (declared != host_.cqs.end() && declared->interrupt_moderation.is_on()) {
        require(face_->moderate(name, declared->interrupt_moderation));
    }
}

void HostSide::add_srq(const SharedReceiveQueue& srq) {
    driver_.watches().srqs = &world_.node(host_.name).srqs.of(srq.name);
    doing_ = "creating SRQ " + srq.name;
    require(face_->add_srq(srq));
}

void HostSide::add_qp(const QueuePair& qp) {
    add_cq(qp.send_cq);
    add_cq(qp.receive_cq);
    // A socket gets its QP when it connects, and several connect in any order: theirs are counted together.
    const bool known = host_.api != Api::wsd || host_.qps.size() == 1;
    Watches<QpWatch>& watches = world_.node(host_.name).qps;
    driver_.watches().qps = &(known ? watches.of(qp.name) : watches.others);
    doing_ = "creating QP " + qp.name;
    require(face_->add_qp(qp));
}

const QueuePair& HostSide::qp(const std::string& name) const {
    return *qps_.find(name);
}

const QueuePair* HostSide::declared(QpNum number) const {
    const auto found =
        std::ranges::find_if(host_.qps, [&](const QueuePair& qp) { return face_->number_of(qp.name) == number; });
    return found == host_.qps.end() ? nullptr : &*found;
}

// Each connection has its own port, in the order of the file; the side that names its peer is the active one.
void HostSide::make_connections() {
    std::uint16_t port = kFirstPort;
    for (const Host& host : world_.scenario().hosts) {
        for (const QueuePair& qp : host.qps) {
            if (qp.connect.empty()) {
                continue;
            }
            const bool active = host.name == host_.name;
            if (active || qp.connect.host == host_.name) {
                auto& [own, other] = *peers_.try_emplace(active ? qp.name : qp.connect.name).first;
                other = {active ? qp.connect.host : host.name, port};
                if (!qp.by_programs) {
                    active ? connect_at_last(own) : accept_only_one(own);
                }
            }
            ++port;
        }
    }
}

// The peer may not be listening yet: a refused connect is retried.
void HostSide::connect_at_last(const std::string& name) {
    doing_ = "connecting " + name;
    NTSTATUS status = connect(name);
    while (status == STATUS_CONNECTION_REFUSED) {
        sleep(std::chrono::microseconds{10});
        status = connect(name);
    }
    require(status);
}

void HostSide::accept_only_one(const std::string& name) {
    doing_ = "accepting for " + name;
    const NTSTATUS status = accept(name);
    face_->stop_listening(qp(name));
    require(status);
}

NTSTATUS HostSide::connect(const std::string& name) {
    const Peer& peer = peers_.at(name);
    sockaddr_in to = address(peer.host);
    to.sin_port = htons(peer.port);
    return face_->connect(qp(name), to);
}

NTSTATUS HostSide::listen(const std::string& name) {
    return face_->listen(qp(name), htons(peers_.at(name).port));
}

NTSTATUS HostSide::accept(const std::string& name) {
    const NTSTATUS status = listen(name);
    return status == STATUS_SUCCESS ? face_->accept(qp(name)) : status;
}

NTSTATUS HostSide::reject(const std::string& name) {
    const NTSTATUS status = listen(name);
    return status == STATUS_SUCCESS ? face_->reject(qp(name)) : status;
}

}  // namespace ndsim
