// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/srq.hpp"
#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/overlapped_calls.hpp"

namespace ndsim::nd {

// IND2SharedReceiveQueue of this provider. Its Notify arms the NIC, so only a program that has asked is told.
class SharedReceiveQueue2 final : public Face<IND2SharedReceiveQueue> {
public:
    SharedReceiveQueue2(const AdapterPtr& adapter, std::shared_ptr<os::File> file, const core::SrqLimits& limits);

    [[nodiscard]] core::Srq& core() { return core_; }

    HRESULT CancelOverlappedRequests() override;
    HRESULT GetOverlappedResult(OVERLAPPED* overlapped, BOOL wait) override;
    HRESULT GetNotifyAffinity(USHORT* group, KAFFINITY* affinity) override;
    HRESULT Modify(ULONG depth, ULONG threshold) override;
    HRESULT Notify(OVERLAPPED* overlapped) override;
    HRESULT Receive(VOID* context, const ND2_SGE sge[], ULONG count) override;

private:
    void leave() override;
    void told();

    OverlappedCalls requests_;
    core::Srq core_;
    std::uint32_t threshold_;  // 0: it never notifies
    std::vector<OverlappedCalls::Id> notifies_;
};

}  // namespace ndsim::nd
