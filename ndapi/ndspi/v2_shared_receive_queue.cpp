// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v2_shared_receive_queue.hpp"

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/blocking.hpp"
#include "ndapi/core/pieces.hpp"
#include "ndapi/ndspi/posts.hpp"

namespace ndsim::nd {

SharedReceiveQueue2::SharedReceiveQueue2(const AdapterPtr& adapter, std::shared_ptr<os::File> file,
                                         const core::SrqLimits& limits)
    : Overlapped2(adapter, std::move(file), IID_IND2SharedReceiveQueue),
      core_(adapter->pd, {limits.depth, limits.sges, 0}, [this](NTSTATUS) { told(); }),
      threshold_(limits.threshold) {}

void SharedReceiveQueue2::leave() {
    requests().cancel();
    notifies_.clear();
    close(core_);
}

HRESULT SharedReceiveQueue2::Modify(ULONG depth, ULONG threshold) {
    core::catch_up(driver());
    const ULONG wish = threshold != 0 ? threshold : threshold_;
    if (depth > core::limits_of(driver()).srq_depth || wish > (depth != 0 ? depth : core_.depth())) {
        return ND_INVALID_PARAMETER;
    }
    return core::wait_for(driver(), "its SRQ to be modified", [&](const auto& done) {
        const NTSTATUS status = core_.modify(depth, notifies_.empty() ? 0 : wish, done);
        threshold_ = NT_SUCCESS(status) ? wish : threshold_;
        return status;
    });
}

// Without a threshold only the end of the queue ends the request.
HRESULT SharedReceiveQueue2::Notify(OVERLAPPED* overlapped) {
    core::catch_up(driver());
    notifies_.push_back(requests().begin(*overlapped));
    if (threshold_ != 0) {
        (void)core_.modify(0, threshold_, [](NTSTATUS) {});
    }
    return ND_PENDING;
}

void SharedReceiveQueue2::told() {
    for (const OverlappedCalls::Id request : std::exchange(notifies_, {})) {
        requests().finish(request, ND_SUCCESS);
    }
}

HRESULT SharedReceiveQueue2::Receive(VOID* context, const ND2_SGE sge[], ULONG count) {
    core::Pieces pieces;
    return pieces.read(sge, count, piece_of) ? posted(driver(), core_.receive(context, pieces.get()))
                                             : ND_INVALID_PARAMETER_2;
}

}  // namespace ndsim::nd
