// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/notifier.hpp"
#include "ndapi/ndspi/overlapped_calls.hpp"
#include "ndapi/ndspi/v1_part.hpp"

namespace ndsim::nd {

// INDCompletionQueue of this provider.
class CompletionQueue1 final : public Part1<INDCompletionQueue> {
public:
    CompletionQueue1(Shared1& owner, std::uint32_t depth);

    [[nodiscard]] core::Cq& core() { return core_; }

    HRESULT CancelOverlappedRequests() override;
    HRESULT GetOverlappedResult(OVERLAPPED* overlapped, SIZE_T* bytes, BOOL wait) override;
    HRESULT Resize(SIZE_T depth) override;
    HRESULT Notify(DWORD type, OVERLAPPED* overlapped) override;
    SIZE_T GetResults(ND_RESULT* results[], SIZE_T count) override;

private:
    void take_down() override;
    [[nodiscard]] ND_RESULT* settle(const core::Completion& completion) const;

    OverlappedCalls requests_;
    core::Cq core_;
    Notifier notifier_{core_, requests_};
};

}  // namespace ndsim::nd
