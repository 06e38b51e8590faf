// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ndapi/ndspi/nd2_calls.hpp"

// Programs with shared receive queues.

namespace ndsim::test {

using Srq = Ref<IND2SharedReceiveQueue>;

inline HRESULT create_srq(Nd2Party& party, Srq& created, ULONG depth = 8, ULONG sges = 2, ULONG threshold = 0) {
    return party.adapter->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, party.file, depth, sges, threshold, 0, 0,
                                                   created.out());
}

inline HRESULT create_qp(Nd2Party& party, IUnknown* srq, Ref<IND2QueuePair>& created, void* qp_context = nullptr) {
    return party.adapter->CreateQueuePairWithSrq(IID_IND2QueuePair, party.cq.get(), party.cq.get(), srq, qp_context, 8,
                                                 2, 0, created.out());
}

// A party whose queue pair receives from a shared queue.
inline void use_srq(Nd2Party& party, Srq& srq) {
    party.qp.reset();
    expect(create_qp(party, srq.get(), party.qp, context(77)) == ND_SUCCESS, "a QP with an SRQ");
}

inline void make_and_use_srq(Nd2Party& party, Srq& created) {
    expect(create_srq(party, created) == ND_SUCCESS, "an SRQ");
    use_srq(party, created);
}

inline HRESULT receive(Nd2Party& party, Srq& srq, std::uintptr_t request, ULONG offset = 0) {
    const ND2_SGE sge = party.piece(64, offset);
    return srq->Receive(context(request), &sge, 1);
}

// B's queue has four Receives, and a threshold of three.
inline void hold_four(Nd2Party& b, Srq& srq) {
    expect(create_srq(b, srq, 8, 2, 3) == ND_SUCCESS, "an SRQ");
    use_srq(b, srq);
    for (std::uintptr_t i = 1; i <= 4; ++i) {
        expect(receive(b, srq, i) == ND_SUCCESS, "a Receive");
    }
}

// A sends at 4 and at 8 ms.
inline void send_twice(Nd2Party& a) {
    a.be_active("B");
    for (const std::uint64_t when : {4U, 8U}) {
        until_ms(a.os, when);
        expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Send");
    }
    until_ms(a.os, 12);
}

}  // namespace ndsim::test
