// SPDX-License-Identifier: Apache-2.0
// The identifiers of NDSPI's C face against those of the C++ one, which layout_test.cpp holds against ndspi.md.
#include <catch2/catch.hpp>

#include "ndapi/ndspi/ndspi.h"

// The headers for C, in a room of their own, so that both identifiers of one name can be compared.
namespace c {
#include "ndapi/ndspi/c/ndspi.h"
}  // namespace c

TEST_CASE("ndspi in C: the IIDs are those of C++") {
    CHECK(c::IID_INDOverlapped == IID_INDOverlapped);
    CHECK(c::IID_INDCompletionQueue == IID_INDCompletionQueue);
    CHECK(c::IID_INDMemoryWindow == IID_INDMemoryWindow);
    CHECK(c::IID_INDEndpoint == IID_INDEndpoint);
    CHECK(c::IID_INDConnector == IID_INDConnector);
    CHECK(c::IID_INDListen == IID_INDListen);
    CHECK(c::IID_INDAdapter == IID_INDAdapter);
    CHECK(c::IID_INDProvider == IID_INDProvider);
    CHECK(c::IID_IND2Overlapped == IID_IND2Overlapped);
    CHECK(c::IID_IND2MemoryRegion == IID_IND2MemoryRegion);
    CHECK(c::IID_IND2MemoryWindow == IID_IND2MemoryWindow);
    CHECK(c::IID_IND2CompletionQueue == IID_IND2CompletionQueue);
    CHECK(c::IID_IND2SharedReceiveQueue == IID_IND2SharedReceiveQueue);
    CHECK(c::IID_IND2QueuePair == IID_IND2QueuePair);
    CHECK(c::IID_IND2Connector == IID_IND2Connector);
    CHECK(c::IID_IND2Listener == IID_IND2Listener);
    CHECK(c::IID_IND2Adapter == IID_IND2Adapter);
    CHECK(c::IID_IND2Provider == IID_IND2Provider);
}
