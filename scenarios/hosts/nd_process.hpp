// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "ndapi/ndspi/ndspi.h"
#include "scenarios/hosts/host_side.hpp"

// Shared by the faces of NDSPI's two versions.
namespace ndsim {

// Options of a request, translated from the scenario to NDSPI; options that it lacks are dropped.
[[nodiscard]] constexpr ULONG nd_flags(std::uint32_t flags) {
    constexpr std::array kSame{std::pair{kPostSilentSuccess, ND_OP_FLAG_SILENT_SUCCESS},
                               std::pair{kPostReadFence, ND_OP_FLAG_READ_FENCE},
                               std::pair{kPostSolicit, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT},
                               std::pair{kPostAllowRemoteRead, ND_OP_FLAG_ALLOW_READ},
                               std::pair{kPostAllowRemoteWrite, ND_OP_FLAG_ALLOW_WRITE}};
    ULONG all = 0;
    for (const auto& [of_scenario, of_interface] : kSame) {
        all |= (flags & of_scenario) == of_scenario ? of_interface : 0;
    }
    return all;
}

[[nodiscard]] constexpr ULONG nd_notify_type(ArmFor wish) {
    constexpr std::array kTypes{ND_CQ_NOTIFY_ERRORS, ND_CQ_NOTIFY_ANY, ND_CQ_NOTIFY_SOLICITED};
    return kTypes.at(static_cast<std::size_t>(wish));
}

// Waits for the end of an object's overlapped call; returns its outcome.
[[nodiscard]] inline HRESULT end_of(IND2Overlapped& object, OVERLAPPED& call) {
    return object.GetOverlappedResult(&call, TRUE);
}
[[nodiscard]] inline HRESULT end_of(INDOverlapped& object, OVERLAPPED& call) {
    SIZE_T bytes = 0;
    return object.GetOverlappedResult(&call, &bytes, TRUE);
}

// The Notify calls of a queue whose ends no wait has taken yet.
class NdNotifies {
public:
    // For the next call.
    [[nodiscard]] OVERLAPPED& add() { return calls_.emplace_back(); }
    // Waits for the oldest call, on `object`; without one, for ever.
    template <class Object>
    void take(HostSide& side, Object& object) {
        while (calls_.empty()) {
            side.main_core().sleep();
        }
        failures_ += end_of(object, calls_.front()) == ND_SUCCESS ? 0 : 1;
        calls_.pop_front();
    }
    // The number of calls that ended with an error.
    [[nodiscard]] std::uint64_t failures() const {
        std::uint64_t sum = failures_;
        for (const OVERLAPPED& call : calls_) {
            const auto status = static_cast<HRESULT>(call.Internal);
            sum += status == ND_SUCCESS || status == ND_PENDING ? 0 : 1;
        }
        return sum;
    }

private:
    std::deque<OVERLAPPED> calls_;
    std::uint64_t failures_ = 0;
};

}  // namespace ndsim
