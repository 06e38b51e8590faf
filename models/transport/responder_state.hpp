// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ndsim {

// The state of one queue pair's responder.
enum class ResponderState : std::uint8_t {
    absent,            // no such queue pair is connected
    between_messages,  // the next request begins a message, or is a Read
    in_send,           // the next request continues a Send
    in_write,          // the next request continues a Write
    refused,           // a request was refused for good; earlier ones still get their answer
    failed,            // the queue pair is in the error state
};

// Whether the state executes requests.
[[nodiscard]] constexpr bool executes(ResponderState state) {
    return state == ResponderState::between_messages || state == ResponderState::in_send ||
           state == ResponderState::in_write;
}

}  // namespace ndsim
