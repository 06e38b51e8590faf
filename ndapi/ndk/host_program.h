// SPDX-License-Identifier: Apache-2.0
// The calls of a C++ program on a simulated host besides NDKPI: find its adapter and its peers, compute, sleep, and
// wait for a callback's signal. Programs are written in blocking style and run in simulated time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ndapi/ndk/ndkpi.h"
#include "ndapi/windows/abi/byteorder.h"
#include "ndapi/windows/abi/program_host.h"
#include "sim/base/units.hpp"

namespace ndsim {

class HostEvent;

// The host that a program runs on.
class HostContext {
public:
    virtual ~HostContext() = default;
    // OpenNDKAdapterHandler and CloseNDKAdapterHandler of the host's NIC.
    virtual NDIS_STATUS open_adapter(NDK_VERSION version, NDK_ADAPTER** adapter) = 0;
    virtual void close_adapter(NDK_ADAPTER* adapter) = 0;
    // OID_NDK_SET_STATE and OID_NDK_STATISTICS: switches NDK on or off for later opens; the NIC's counters.
    virtual void set_ndk_state(bool enabled) = 0;
    [[nodiscard]] virtual NDIS_NDK_PERFORMANCE_COUNTERS ndk_statistics() = 0;
    // The report of the NIC's driver to NDIS; NdkInfo points to `info`.
    [[nodiscard]] virtual NDIS_NDK_CAPABILITIES ndk_capabilities(NDK_ADAPTER_INFO& info) = 0;
    // Runs a program for Windows on a core of its own, while this one waits. The program gets its interface to the
    // host. Returns its exit code, even if it exits early.
    virtual int run_program(const std::function<int(ProgramHost&)>& program) = 0;
    // The address of a host of the scenario by its name, or of this host for "". Port 0. family 0: no such host.
    [[nodiscard]] virtual sockaddr_in address(std::string_view host) const = 0;
    // The simulated time of this program's core.
    [[nodiscard]] virtual Picoseconds clock() const = 0;
    // compute(): the core computes for `span`. sleep(): the program sleeps for `span`. std::invalid_argument if it is
    // negative.
    virtual void compute(Picoseconds span) = 0;
    virtual void sleep(Picoseconds span) = 0;
    // Blocks until the event is signalled; `what` names it in the message if nothing can ever signal it.
    virtual void wait(HostEvent& event, std::string_view what) = 0;

protected:
    friend class HostEvent;
    // Wakes the program if it sleeps; returns when it can go on then.
    virtual Picoseconds wake() = 0;
};

// An event that a callback signals and the program waits for; it stays signalled until a wait takes it.
class HostEvent {
public:
    explicit HostEvent(HostContext& host) : host_(host) {}
    void signal() {
        const Picoseconds at = host_.wake();
        ready_ = ready_.value_or(at);
    }
    void wait(std::string_view what) { host_.wait(*this, what); }
    // For HostContext::wait: if it is signalled, when a program that sleeps can go on. take() takes the signal.
    [[nodiscard]] std::optional<Picoseconds> ready() const { return ready_; }
    void take() { ready_.reset(); }

private:
    HostContext& host_;
    std::optional<Picoseconds> ready_;
};

using HostProgram = std::function<void(HostContext&)>;

}  // namespace ndsim
