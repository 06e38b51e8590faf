// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/host_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "ndapi/ndk/adapter.hpp"
#include "ndapi/ndspi/provider.hpp"
#include "ndapi/windows/abi/byteorder.h"
#include "ndapi/wsd/provider.hpp"

namespace ndsim {

namespace {

// Finds a program's providers by IID: a new one of NetworkDirect each time, or the program's one of Winsock Direct.
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

void require_forward(Picoseconds span, std::string_view call) {
    if (span < Picoseconds{}) {
        throw std::invalid_argument(fmt::format("HostContext::{}: {} ps is negative", call, span.count()));
    }
}

}  // namespace

HostSide::HostSide(World& world, const Host& host)
    : world_(world),
      host_(host),
      driver_(world.driver(host.name)),
      main_(world.node(host.name).core(kMainCore)),
      connections_(*this, world.scenario()),
      qps_(host.qps) {}

void HostSide::set_up() {
    driver_.use_simulated_addresses();
    doing_ = "opening the adapter of " + host_.name;
    require(face_->open(), doing_);
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
    connections_.make();
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
    require(registered, doing_);
    if (buffer.region != nullptr) {
        world_.publish({host_.name, name},
                       {buffer.region->remote_address_of(buffer.memory.data()), buffer.region->key()});
    }
    return buffer;
}

// Writes count from now on, even before the first spin.
void HostSide::watch_places(const std::vector<Op>& ops) {
    for_each_op_of<SpinOp>(ops, [this](const SpinOp& spin) {
        HostBuffer& buffer = *buffers_.at(spin.piece.buffer);
        const Address base = buffer.region->address_of(buffer.memory.data());
        buffer.written.begin(base, driver_.params().cpu.poll_detect);
        buffer.written.add(spin.piece.offset.count + spin.piece.size.count - 1);
        driver_.memory().watch(base, buffer.written);
    });
}

void HostSide::add_memory(const MemoryObject& object) {
    doing_ = "creating " + object.name;
    RemoteRange& open = memory_[object.name];
    require(face_->add_memory(object, open), doing_);
    world_.publish({host_.name, object.name}, open);
}

void HostSide::opened(const std::string& memory, const Piece& piece, MrKey key) {
    const HostBuffer& buffer = *buffers_.at(piece.buffer);
    memory_.at(memory) = {buffer.region->remote_address_of(buffer.memory.data() + piece.offset.count), key};
    world_.publish({host_.name, memory}, memory_.at(memory));
}

// A socket gets its queues when it connects, and several connect in any order: theirs are counted together.
bool HostSide::has_own_watches() const {
    return host_.api != Api::wsd || host_.qps.size() == 1;
}

void HostSide::add_cq(const std::string& name) {
    if (!cqs_.insert(name).second) {
        return;
    }
    Watches<CqWatch>& watches = world_.node(host_.name).cqs;
    driver_.watches().cqs = &(has_own_watches() ? watches.of(name) : watches.others);
    doing_ = "creating CQ " + name;
    require(face_->add_cq(name, cq_depth(host_, name)), doing_);
    const auto declared = std::ranges::find(host_.cqs, name, &CompletionQueue::name);
    if (declared != host_.cqs.end() && declared->interrupt_moderation.is_on()) {
        require(face_->moderate(name, declared->interrupt_moderation), doing_);
    }
}

void HostSide::add_srq(const SharedReceiveQueue& srq) {
    driver_.watches().srqs = &world_.node(host_.name).srqs.of(srq.name);
    doing_ = "creating SRQ " + srq.name;
    require(face_->add_srq(srq), doing_);
}

void HostSide::add_qp(const QueuePair& qp) {
    add_cq(qp.send_cq);
    add_cq(qp.receive_cq);
    Watches<QpWatch>& watches = world_.node(host_.name).qps;
    driver_.watches().qps = &(has_own_watches() ? watches.of(qp.name) : watches.others);
    doing_ = "creating QP " + qp.name;
    require(face_->add_qp(qp), doing_);
}

void HostSide::renew_qp(const QueuePair& qp) {
    face_->drop_qp(qp);
    add_qp(qp);
}

const QueuePair& HostSide::qp(const std::string& name) const {
    return *qps_.find(name);
}

const QueuePair* HostSide::declared(QpNum number) const {
    const auto found =
        std::ranges::find_if(host_.qps, [&](const QueuePair& qp) { return face_->number_of(qp.name) == number; });
    return found == host_.qps.end() ? nullptr : &*found;
}

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

os::Process& HostSide::new_process(std::vector<Core*> threads) {
    const auto write = [this](int stream, std::string_view text) {
        if (output_) {
            output_(host_.name, stream, text);
        } else {
            (stream == 1 ? std::cout : std::cerr) << text;
        }
    };
    processes_.push_back(
        std::make_unique<os::Process>(os::Process::Surroundings{driver_, std::move(threads), write, Providers()}));
    return *processes_.back();
}

int HostSide::run_program(const std::function<int(ProgramHost&)>& program) {
    std::vector<Core*> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
        threads.push_back(&world_.node(host_.name).core(thread_core(i)));
    }
    driver_.spinners().look_at_memory();
    os::Process& process = new_process(std::move(threads));
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
    require_forward(span, "compute");
    main_.spend(CoreActivity::other, span);
    main_.sync();
}

void HostSide::sleep(Picoseconds span) {
    require_forward(span, "sleep");
    main_.sync();
    const Picoseconds until = main_.clock() + span;
    while (main_.clock() < until) {
        main_.sleep(until);
    }
}

void HostSide::wait(HostEvent& event, std::string_view what) {
    main_.sync();
    if (!event.ready()) {
        main_.waits_for(std::string(what));
        while (!event.ready() || main_.clock() < *event.ready()) {  // another event may have woken it
            main_.sleep(event.ready());
        }
        main_.waits_for({});
    }
    event.take();
}

// A callback's signal wakes a blocked thread, which costs the host time.
Picoseconds HostSide::wake() {
    const bool by_callback = &driver_.core() != &main_;
    const Picoseconds at = driver_.core().clock() + (by_callback ? driver_.params().cpu.event_wakeup : Picoseconds{});
    main_.wake(at);
    return at;
}

void HostSide::spin(const std::string& buffer, std::uint64_t offset) {
    buffers_.at(buffer)->written.spin(main_, offset);
    main_.spend(CoreActivity::poll, driver_.params().cpu.poll_cq);
}

}  // namespace ndsim
