// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/notifier.hpp"
#include "ndapi/ndspi/v2_overlapped.hpp"

namespace ndsim::nd {

// IND2CompletionQueue of this provider.
class CompletionQueue2 final : public Overlapped2<IND2CompletionQueue> {
public:
    CompletionQueue2(const AdapterPtr& adapter, std::shared_ptr<os::File> file, std::uint32_t depth);

    [[nodiscard]] core::Cq& core() { return core_; }

    HRESULT GetNotifyAffinity(USHORT* group, KAFFINITY* affinity) override;
    HRESULT Resize(ULONG depth) override;
    HRESULT Notify(ULONG type, OVERLAPPED* overlapped) override;
    ULONG GetResults(ND2_RESULT results[], ULONG count) override;

private:
    void leave() override;
    void cancelled() override { notifier_.cancelled(); }

    core::Cq core_;
    Notifier notifier_{core_, requests()};
};

}  // namespace ndsim::nd
