// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ports/pcie.hpp"

namespace ndsim {

// The root complex as a link sees it. Called in the order in which transfers leave the NIC, as soon as the times of
// their arrival are known.
class RootPort : public virtual sc_core::sc_interface {
public:
    // The first request of a read is at the root port at `arrives`. RootClient::read_ready() follows.
    virtual void read(const ReadTrain& train, Picoseconds arrives) = 0;
    // The last byte of a write is at the root port at `arrives`. Returns when it is visible.
    virtual Picoseconds write(const WriteTrain& train, Picoseconds arrives) = 0;
};

// The root complex reports to the link here.
class RootClient : public virtual sc_core::sc_interface {
public:
    // The bytes of a read have been taken from memory, now: completions may leave.
    virtual void read_ready(const ReadTrain& train) = 0;
};

}  // namespace ndsim
