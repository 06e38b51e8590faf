// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "models/ports/protection.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// ProtectionTable: the memory keys that the NIC knows. Every access names a key, and is refused unless the key is
// valid, belongs to the protection domain, covers the range and grants the right.
class ProtectionTable final : public Unit, public ProtectionPort, public ProtectionAdmin {
public:
    sc_core::sc_export<ProtectionPort> port{"port"};
    sc_core::sc_export<ProtectionAdmin> admin{"admin"};

    ProtectionTable(const sc_core::sc_module_name& name, Timeline& timeline);

    [[nodiscard]] bool allows(const KeyUse& use, std::vector<HostRange>* ranges) const override;
    void add(const MemoryRegion& region) override;
    void remove(MrKey key) override;
    void report(StatSink& sink) const override;

private:
    // The region of `key`, nullptr if there is none.
    [[nodiscard]] const MemoryRegion* find(MrKey key) const;

    std::unordered_map<MrKey, MemoryRegion> regions_;  // never iterated
    mutable const MemoryRegion* recent_ = nullptr;
    mutable std::uint64_t refused_ = 0;
};

}  // namespace ndsim
