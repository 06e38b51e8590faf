// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ndapi/ndspi/ndspi.h"
#include "ndapi/windows/os/process.hpp"

namespace ndsim::nd {

// OverlappedCalls: the overlapped requests of one object that have not ended, in the order of their calls. A cancelled
// request does not end a second time, whatever becomes of its work.
class OverlappedCalls {
public:
    enum class Id : std::uint64_t {};

    OverlappedCalls(os::Process& process, std::shared_ptr<os::File> file) : process_(process), file_(std::move(file)) {}

    // Registers an accepted call.
    [[nodiscard]] Id begin(OVERLAPPED& overlapped);
    void finish(Id id, HRESULT status);
    // The call has failed after all, so it is not pending; the program is not told.
    void forget(Id id, HRESULT status);
    // Requests that have not ended by the caller's time end with ND_CANCELED, in order (B15); the caller may block.
    void cancel();
    [[nodiscard]] bool is_pending(Id id) const;
    [[nodiscard]] HRESULT result(const OVERLAPPED& overlapped, bool wait) {
        return process_.overlapped().result_of(overlapped, wait);
    }

private:
    // A pending request.
    struct Request {
        Id id{};
        OVERLAPPED* overlapped = nullptr;
        os::OverlappedRequests::Told told;
    };

    os::Process& process_;
    const std::shared_ptr<os::File> file_;
    std::vector<Request> requests_;
    std::uint64_t next_ = 1;
};

// Overlapping: an object, of either version, whose calls complete later.
template <class Object>
class Overlapping : public Object {
public:
    HRESULT CancelOverlappedRequests() final {
        requests_.cancel();
        cancelled();
        return ND_SUCCESS;
    }

protected:
    template <class Owner>
    Overlapping(Owner& owner, std::shared_ptr<os::File> file, std::vector<IID> interfaces)
        : Object(owner, std::move(interfaces)), requests_(this->process(), std::move(file)) {}

    [[nodiscard]] OverlappedCalls& requests() { return requests_; }
    // The program has cancelled all requests.
    virtual void cancelled() {}

private:
    OverlappedCalls requests_;
};

}  // namespace ndsim::nd
