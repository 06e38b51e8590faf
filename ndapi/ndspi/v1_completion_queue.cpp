// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v1_completion_queue.hpp"

#include "ndapi/core/take_results.hpp"
#include "ndapi/ndspi/completion_queues.hpp"

namespace ndsim::nd {

CompletionQueue1::CompletionQueue1(Shared1& owner, std::uint32_t depth)
    : Overlapped1(owner, IID_INDCompletionQueue),
      core_(driver(), depth, [this](NTSTATUS status) { notifier_.told(status); }) {
    set_arms(core_);
    core_.report_invalidations();  // R34
}

void CompletionQueue1::take_down() {
    requests().cancel();  // R88
    notifier_.cancelled();
    close(core_);
}

HRESULT CompletionQueue1::Resize(SIZE_T depth) {
    return resize(core_, depth, Rounding::exact);
}

HRESULT CompletionQueue1::Notify(DWORD type, OVERLAPPED* overlapped) {
    return notifier_.notify(type, *overlapped);
}

SIZE_T CompletionQueue1::GetResults(ND_RESULT* results[], SIZE_T count) {
    return core::take_results(core_, count, [&](const core::Completion& completion, std::size_t place) {
        ND_RESULT* const result = settle(completion);
        if (result != nullptr) {
            results[place] = result;
        }
        return result != nullptr;
    });
}

// Writes to the client's ND_RESULT. The bytes of its own requests were written at the post (R32). A released window
// gets no result.
ND_RESULT* CompletionQueue1::settle(const core::Completion& completion) const {
    ND_RESULT* const result = completion.by_peer ? owner().invalidation_result(MrKey{completion.token})
                                                 : static_cast<ND_RESULT*>(completion.request_context);
    if (result == nullptr) {
        return nullptr;
    }
    // The only number that differs from the core's (ndspi.md 6).
    result->Status = completion.status == STATUS_IO_TIMEOUT ? ND_TIMEOUT : completion.status;
    if (completion.by_peer || completion.kind == OperationKind::receive) {
        result->BytesTransferred = completion.bytes;
    }
    return result;
}

}  // namespace ndsim::nd
