// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/windows/abi/constants.h"
#include "tests/ndapi/ndspi/nd2_calls.hpp"

// A program that is notified of messages.

namespace ndsim::test {

inline constexpr ULONG kMarked = ND_OP_FLAG_SEND_AND_SOLICIT_EVENT;

// A Send of A's: when, in milliseconds, with which flags, and how long. It is done within a millisecond.
struct Message {
    std::uint64_t at = 0;
    ULONG flags = 0;
    ULONG length = 64;
};

// A sends these messages; B has eight Receives of 64 bytes, with the contexts 1 to 8, and does something.
inline RunResult run_receiver(const std::vector<Message>& messages, const std::function<void(Nd2Party& b)>& program,
                              const std::vector<std::string>& overrides = {}) {
    return run_nd2_pair({.program =
                             [&](Nd2Party& a, const Nd2Place&) {
                                 for (const Message& message : messages) {
                                     until_ms(a.os, message.at);
                                     expect(a.send(message.length, message.flags) == ND_SUCCESS, "a Send");
                                     next(a);
                                 }
                             }},
                        {.program =
                             [&](Nd2Party& b, const Nd2Place&) {
                                 for (std::uintptr_t i = 1; i <= 8; ++i) {
                                     expect(b.receive(64, context(i)) == ND_SUCCESS, "a Receive");
                                 }
                                 program(b);
                             }},
                        overrides);
}

// A Notify that is taken, and completes later.
inline void notify(Nd2Party& b, ULONG type, Nd2Call& call) {
    expect(b.cq->Notify(type, &call.overlapped) == ND_PENDING, "a Notify");
}

inline HRESULT now(Nd2Party& b, Nd2Call& call) {
    return call.now(*b.cq.get());
}

}  // namespace ndsim::test
