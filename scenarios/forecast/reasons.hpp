// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/forecast/remains.hpp"

namespace ndsim::forecast {

// Why something has happened, and what would avoid it. Both may be empty.
struct Reason {
    std::string why;
    std::string advice;
};
// A request of a queue pair that has failed or been cancelled.
struct FailedRequest {
    Endpoint end;
    const Call* call = nullptr;
};

// The bytes of its pieces.
[[nodiscard]] std::uint64_t length_of(const PostOp& post);

[[nodiscard]] Reason reason_of(const Remains& remains, const FailedRequest& failed);
// A call that has returned an error.
[[nodiscard]] Reason reason_of_refusal(const Remains& remains, std::size_t host, const Call& call);
// The wait of a program that has not ended: "polls q0.send for completion 2, and only 1 comes".
[[nodiscard]] Reason reason_of_wait(const Remains& remains, std::size_t host);
// The parameter that sets the depth of a completion queue.
[[nodiscard]] std::string depth_of(const Host& host, const std::string& cq);

}  // namespace ndsim::forecast
