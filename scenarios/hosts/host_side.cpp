// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/host_side.hpp"

#include <iostream>

#include "ndapi/ndk/adapter.hpp"
#include "ndapi/ndspi/provider.hpp"
#include "ndapi/wsd/provider.hpp"

// The calls of software to its host; how a scenario's host is set up is in host_set_up.cpp.
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

}  // namespace

HostSide::HostSide(World& world, const Host& host)
    : world_(world),
      host_(host),
      driver_(world.driver(host.name)),
      main_(world.node(host.name).core(kMainCore)),
      face_(make_face(*this)),
      qps_(host.qps) {}

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

// A callback's signal wakes a blocked thread, which costs the host time.
void HostSide::wake() {
    const bool by_callback = &driver_.core() != &main_;
    main_.wake(driver_.core().clock() + (by_callback ? driver_.params().cpu.event_wakeup : Picoseconds{}));
}

void HostSide::spin(const std::string& buffer, std::uint64_t offset) {
    buffers_.at(buffer)->written.spin(main_, offset);
    main_.spend(CoreActivity::poll, driver_.params().cpu.poll_cq);
}

}  // namespace ndsim
