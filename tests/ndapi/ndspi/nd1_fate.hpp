// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/windows/abi/ntstatus.h"
#include "tests/ndapi/ndspi/nd1_pair.hpp"

// What becomes of a connection when a request fails.
namespace ndsim::test {

struct Nd1Fate {
    Nd1Ends at_a;               // of the request, which has the number 1, and of a Send right behind it, 2
    Nd1Ends at_b;               // all that has come to the inbound CQ by 15 ms
    HRESULT told = ND_PENDING;  // of a NotifyDisconnect at B, by then
};

// B prepares itself, with a connection; then A posts; in the end B looks after what it has.
inline Nd1Fate fate_of(
    const std::function<HRESULT(Nd1Party& a)>& request,
    const std::function<void(Nd1Party& b)>& prepare = [](Nd1Party&) {}, const std::vector<std::string>& overrides = {},
    const std::function<void(Nd1Party& b)>& in_the_end = [](Nd1Party&) {}) {
    Nd1Fate fate;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(request(a) == ND_SUCCESS, "the request is taken");
                          expect(a.send(2, 8) == ND_SUCCESS, "so is a Send behind it");
                          fate.at_a = a.ended(2);
                      }},
                 {.program =
                      [&](Nd1Party& b) {
                          prepare(b);
                          Nd1Call call(b.os);
                          expect(b.connector->NotifyDisconnect(&call.overlapped) == ND_PENDING, "it is connected");
                          until_ms(b.os, 15);
                          fate.at_b = b.poll(*b.inbound);
                          fate.told = call.now(*b.connector);
                          b.connector->CancelOverlappedRequests();
                          in_the_end(b);
                      }},
                 overrides);
    return fate;
}

// The request has failed so, and taken the connection with it.
inline void check_fatal(const Nd1Fate& fate, HRESULT status) {
    CHECK(fate.at_a == Nd1Ends{{1, status}, {2, ND_CANCELED}});
    CHECK(fate.told == ND_SUCCESS);
}

inline const std::vector<std::string> kInfiniband{"profile=infiniband"};

}  // namespace ndsim::test
