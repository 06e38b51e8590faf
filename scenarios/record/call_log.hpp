// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ndapi/core/driver.hpp"
#include "scenarios/format/program.hpp"

namespace ndsim {

// The end of a request.
struct CallEnd {
    NTSTATUS status = STATUS_SUCCESS;
    Picoseconds at{};  // when its completion was written
};

// A post or a step of a connection by a program.
struct Call {
    const Op* op = nullptr;
    Picoseconds at{};  // when it began
    NTSTATUS status = STATUS_SUCCESS;
    std::uint32_t request = 0;  // its number; 0: none
    std::optional<CallEnd> end{};
};

// CallLog: writes down the calls of each host's program, the ends of their requests, and the number of completions
// polled. It admits a limited number of operations in all, so that the run of an endless program ends.
class CallLog final : public core::RequestObserver {
public:
    CallLog(std::size_t hosts, std::uint64_t most_operations) : hosts_(hosts), most_(most_operations) {}

    // Whether a program may begin another operation.
    [[nodiscard]] bool admits_another() { return ++operations_ <= most_; }
    void returned(HostId host, const Call& call);
    void polled(HostId host, const std::string& cq, std::uint32_t count) { hosts_[raw(host)].polled[cq] += count; }
    void retired(HostId host, const core::Retired& request) override;
    // A request has ended, and no program has polled its completion.
    void ended(HostId host, std::uint32_t request, const CallEnd& end);

    // Whether a program was stopped.
    [[nodiscard]] bool is_full() const { return operations_ > most_; }
    [[nodiscard]] const std::vector<Call>& calls(HostId host) const { return hosts_[raw(host)].calls; }
    // The call that posted a request; null: no program did.
    [[nodiscard]] const Call* call_of(HostId host, std::uint32_t request) const;
    [[nodiscard]] std::uint64_t polled(HostId host, const std::string& cq) const;

private:
    // The log of one host.
    struct HostLog {
        std::vector<Call> calls;
        std::map<std::uint32_t, std::size_t> requests;  // number of the request's call
        std::map<std::string, std::uint64_t> polled;    // by completion queue
    };

    std::vector<HostLog> hosts_;
    const std::uint64_t most_;
    std::uint64_t operations_ = 0;
};

}  // namespace ndsim
