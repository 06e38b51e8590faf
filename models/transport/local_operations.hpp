// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/proto/wqe.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// The unit that begins local operations.
class LocalOperationOwner {
public:
    // The operation with this WQE number has taken effect, or has failed.
    virtual void local_done(QpNum qp, std::uint32_t wqe_index, WcStatus status) = 0;
    // Whether the requests of the queue pair have been flushed.
    [[nodiscard]] virtual bool is_flushed(QpNum qp) const = 0;

protected:
    ~LocalOperationOwner() = default;
};

// LocalOperations: Binds, fast registrations and invalidations, the requests of a send queue that send nothing. Each
// changes the protection table after its execution time, unless it has been flushed by then; the next request of its
// queue pair starts afterwards.
class LocalOperations final : public Unit {
public:
    sc_core::sc_port<KeyPort> keys{"keys"};

    LocalOperations(const sc_core::sc_module_name& name, Timeline& timeline, Picoseconds key_update);

    void set_owner(LocalOperationOwner& owner) { owner_ = &owner; }
    // Begins an operation; returns when it takes effect.
    Picoseconds begin(QpNum qp, PdNum pd, const Wqe& wqe);
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // A local operation under way.
    struct Operation {
        QpNum qp{};
        PdNum pd{};
        std::uint32_t wqe_index = 0;
        KeyOperation what;
    };
    void take_effect(const std::uint32_t& slot);  // Lane: the table changes

    const Picoseconds key_update_;
    LocalOperationOwner* owner_ = nullptr;
    std::vector<Operation> operations_;
    std::vector<std::uint32_t> free_;
    Lane<std::uint32_t, &LocalOperations::take_effect> effects_;
    Probe<std::uint32_t> key_{*this, "key", "key that was changed last"};
    std::uint64_t done_ = 0;
    std::uint64_t failed_ = 0;
};

}  // namespace ndsim
