// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/overlapped_calls.hpp"

namespace ndsim::nd {

// Overlapped2: an object of version 2 whose calls complete later.
template <class Interface>
class Overlapped2 : public Overlapping<Face<Interface>> {
public:
    HRESULT GetOverlappedResult(OVERLAPPED* overlapped, BOOL wait) final {
        return this->requests().result(*overlapped, wait != FALSE);
    }

protected:
    Overlapped2(const AdapterPtr& adapter, std::shared_ptr<os::File> file, const IID& interface)
        : Overlapping<Face<Interface>>(adapter, std::move(file), {interface, IID_IND2Overlapped}) {}
};

}  // namespace ndsim::nd
