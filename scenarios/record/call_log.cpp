// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/call_log.hpp"

namespace ndsim {

void CallLog::returned(HostId host, const Call& call) {
    HostLog& log = hosts_[raw(host)];
    if (call.request != 0) {
        log.requests[call.request] = log.calls.size();
    }
    log.calls.push_back(call);
}

void CallLog::retired(HostId host, const core::Retired& request) {
    ended(host, request.request, {request.status, request.ledger->completion.value_or(request.ledger->last)});
}

void CallLog::ended(HostId host, std::uint32_t request, const CallEnd& end) {
    HostLog& log = hosts_[raw(host)];
    const auto found = log.requests.find(request);
    if (found != log.requests.end()) {
        log.calls[found->second].end = end;
    }
}

const Call* CallLog::call_of(HostId host, std::uint32_t request) const {
    const HostLog& log = hosts_[raw(host)];
    const auto found = log.requests.find(request);
    return found == log.requests.end() ? nullptr : &log.calls[found->second];
}

std::uint64_t CallLog::polled(HostId host, const std::string& cq) const {
    const std::map<std::string, std::uint64_t>& polled = hosts_[raw(host)].polled;
    const auto found = polled.find(cq);
    return found == polled.end() ? 0 : found->second;
}

}  // namespace ndsim
