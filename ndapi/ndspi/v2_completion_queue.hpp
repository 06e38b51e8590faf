// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/notifier.hpp"
#include "ndapi/ndspi/overlapped_calls.hpp"

namespace ndsim::nd {

// IND2CompletionQueue of this provider.
class CompletionQueue2 final : public Face<IND2CompletionQueue> {
public:
    CompletionQueue2(const AdapterPtr& adapter, std::shared_ptr<os::File> file, std::uint32_t depth);

    [[nodiscard]] core::Cq& core() { return core_; }

    HRESULT CancelOverlappedRequests() override;
    HRESULT GetOverlappedResult(OVERLAPPED* overlapped, BOOL wait) override;
    HRESULT GetNotifyAffinity(USHORT* group, KAFFINITY* affinity) override;
    HRESULT Resize(ULONG depth) override;
    HRESULT Notify(ULONG type, OVERLAPPED* overlapped) override;
    ULONG GetResults(ND2_RESULT results[], ULONG count) override;

private:
    void leave() override;

    OverlappedCalls requests_;
    core::Cq core_;
    Notifier notifier_{core_, requests_};
};

}  // namespace ndsim::nd
