// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/notifier.hpp"
#include "ndapi/ndspi/v1_part.hpp"

namespace ndsim::nd {

// INDCompletionQueue of this provider.
class CompletionQueue1 final : public Overlapped1<INDCompletionQueue> {
public:
    CompletionQueue1(Shared1& owner, std::uint32_t depth);

    [[nodiscard]] core::Cq& core() { return core_; }

    HRESULT Resize(SIZE_T depth) override;
    HRESULT Notify(DWORD type, OVERLAPPED* overlapped) override;
    SIZE_T GetResults(ND_RESULT* results[], SIZE_T count) override;

private:
    void take_down() override;
    void cancelled() override { notifier_.cancelled(); }
    [[nodiscard]] ND_RESULT* settle(const core::Completion& completion) const;

    core::Cq core_;
    Notifier notifier_{core_, requests()};
};

}  // namespace ndsim::nd
