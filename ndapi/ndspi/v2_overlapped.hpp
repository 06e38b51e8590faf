// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/overlapped_calls.hpp"

namespace ndsim::nd {

// Overlapped2: an object of version 2 whose calls complete later.
template <class Interface>
class Overlapped2 : public Face<Interface> {
public:
    HRESULT CancelOverlappedRequests() final {
        requests_.cancel();
        cancelled();
        return ND_SUCCESS;
    }
    HRESULT GetOverlappedResult(OVERLAPPED* overlapped, BOOL wait) final {
        return requests_.result(*overlapped, wait != FALSE);
    }

protected:
    Overlapped2(const AdapterPtr& adapter, std::shared_ptr<os::File> file, const IID& interface)
        : Face<Interface>(adapter, {interface, IID_IND2Overlapped}), requests_(adapter->process, std::move(file)) {}

    [[nodiscard]] OverlappedCalls& requests() { return requests_; }
    // The program has cancelled all requests.
    virtual void cancelled() {}

private:
    OverlappedCalls requests_;
};

}  // namespace ndsim::nd
