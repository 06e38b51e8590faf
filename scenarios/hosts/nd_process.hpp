// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <list>
#include <utility>

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
    // For the next call, which asks for such completions.
    [[nodiscard]] OVERLAPPED& add(ArmFor wish = ArmFor::any) { return calls_.emplace_back(Call{{}, wish}).overlapped; }
    // Waits on `object` for the first call to end; without a call, for ever. Others that have ended are taken with it:
    // one notification answers all arms, as in NDKPI.
    template <class Object>
    void take(HostSide& side, Object& object) {
        while (calls_.empty()) {
            side.main_core().sleep();
        }
        (void)end_of(object, first_to_end()->overlapped);
        failures_ = failures();
        std::erase_if(calls_, has_ended);
    }
    // The number of calls that ended with an error.
    [[nodiscard]] std::uint64_t failures() const {
        std::uint64_t sum = failures_;
        for (const Call& call : calls_) {
            sum += has_ended(call) && call.overlapped.Internal != ND_SUCCESS ? 1 : 0;
        }
        return sum;
    }

private:
    struct Call {
        OVERLAPPED overlapped;
        ArmFor wish;
    };

    [[nodiscard]] static bool has_ended(const Call& call) { return call.overlapped.Internal != ULONG_PTR{ND_PENDING}; }
    // One that has ended, or else the one with the widest wish: whatever ends another one ends it, too [R84].
    [[nodiscard]] std::list<Call>::iterator first_to_end() {
        const auto ended = std::find_if(calls_.begin(), calls_.end(), has_ended);
        const auto width = [](const Call& call) {
            return std::pair(call.wish == ArmFor::any, call.wish != ArmFor::errors);
        };
        return ended != calls_.end() ? ended : std::ranges::max_element(calls_, {}, width);
    }

    std::list<Call> calls_;  // which the provider refers to
    std::uint64_t failures_ = 0;
};

}  // namespace ndsim
