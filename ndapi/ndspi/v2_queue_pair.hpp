// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/qp.hpp"
#include "ndapi/ndspi/com.hpp"

namespace ndsim::nd {

// IND2QueuePair of this provider.
class QueuePair2 final : public Face<IND2QueuePair> {
public:
    QueuePair2(const AdapterPtr& adapter, core::Cq& receive_cq, core::Cq& initiator_cq, core::Srq* srq, void* context,
               const core::QpLimits& limits);

    [[nodiscard]] core::Qp& core() { return core_; }

    HRESULT Flush() override;
    HRESULT Send(VOID* context, const ND2_SGE sge[], ULONG count, ULONG flags) override;
    HRESULT Receive(VOID* context, const ND2_SGE sge[], ULONG count) override;
    HRESULT Bind(VOID* context, IUnknown* region, IUnknown* window, const VOID* buffer, SIZE_T length,
                 ULONG flags) override;
    HRESULT Invalidate(VOID* context, IUnknown* window, ULONG flags) override;
    HRESULT Read(VOID* context, const ND2_SGE sge[], ULONG count, UINT64 remote_address, UINT32 remote_token,
                 ULONG flags) override;
    HRESULT Write(VOID* context, const ND2_SGE sge[], ULONG count, UINT64 remote_address, UINT32 remote_token,
                  ULONG flags) override;

private:
    void leave() override { close(core_); }

    core::Qp core_;
};

}  // namespace ndsim::nd
