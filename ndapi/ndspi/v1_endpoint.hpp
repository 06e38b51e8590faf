// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/pieces.hpp"
#include "ndapi/core/qp.hpp"
#include "ndapi/ndspi/connection.hpp"
#include "ndapi/ndspi/v1_part.hpp"

namespace ndsim::nd {

// INDEndpoint of this provider. It belongs to the connector that made it, and has the limits of its Reads.
class Endpoint1 final : public Part1<INDEndpoint> {
public:
    // The completion queues of an endpoint.
    struct Queues {
        core::Cq& inbound;
        core::Cq& outbound;
    };
    Endpoint1(Shared1& owner, const std::shared_ptr<Connection>& connection, const Queues& queues,
              const core::QpLimits& limits, const core::ReadLimits& reads);

    [[nodiscard]] core::Qp& core() { return core_; }
    [[nodiscard]] const core::ReadLimits& reads() const { return reads_; }
    [[nodiscard]] bool belongs_to(const std::shared_ptr<Connection>& connection) const {
        return connection_.lock() == connection;
    }

    HRESULT Flush() override;
    VOID StartRequestBatch() override {}
    VOID SubmitRequestBatch() override {}
    HRESULT Send(ND_RESULT* result, const ND_SGE* list, SIZE_T count, DWORD flags) override;
    HRESULT SendAndInvalidate(ND_RESULT* result, const ND_SGE* list, SIZE_T count, const ND_MW_DESCRIPTOR* window,
                              DWORD flags) override;
    HRESULT Receive(ND_RESULT* result, const ND_SGE* list, SIZE_T count) override;
    HRESULT Bind(ND_RESULT* result, ND_MR_HANDLE handle, INDMemoryWindow* window, const VOID* buffer, SIZE_T length,
                 DWORD flags, ND_MW_DESCRIPTOR* descriptor) override;
    HRESULT Invalidate(ND_RESULT* result, INDMemoryWindow* window, DWORD flags) override;
    HRESULT Read(ND_RESULT* result, const ND_SGE* list, SIZE_T count, const ND_MW_DESCRIPTOR* window, ULONGLONG offset,
                 DWORD flags) override;
    HRESULT Write(ND_RESULT* result, const ND_SGE* list, SIZE_T count, const ND_MW_DESCRIPTOR* window, ULONGLONG offset,
                  DWORD flags) override;

private:
    void take_down() override { close(core_); }
    [[nodiscard]] HRESULT begin(core::Pieces& pieces, const ND_RESULT* result, const ND_SGE* list, SIZE_T count) const;
    [[nodiscard]] bool is_inline(const ND_SGE* list, SIZE_T count) const;

    const std::weak_ptr<Connection> connection_;
    const core::QpLimits limits_;
    const core::ReadLimits reads_;
    core::Qp core_;
};

}  // namespace ndsim::nd
