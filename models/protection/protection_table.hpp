// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <unordered_map>

#include "models/ports/memory.hpp"
#include "models/ports/protection.hpp"
#include "models/protection/key_entry.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// ProtectionTable: the memory keys that the NIC knows. Every access names a key. It is refused unless the key is valid,
// belongs to the protection domain, covers the range and grants the right. Windows and fast-register regions become
// valid and invalid in the order of their queue pair's requests.
class ProtectionTable final : public Unit, public ProtectionPort, public KeyPort, public ProtectionAdmin {
public:
    sc_core::sc_export<ProtectionPort> port{"port"};
    sc_core::sc_export<KeyPort> keys{"keys"};
    sc_core::sc_export<ProtectionAdmin> admin{"admin"};
    sc_core::sc_port<MemoryPort> memory{"memory"};  // tells whether a logical address is mapped

    ProtectionTable(const sc_core::sc_module_name& name, Timeline& timeline);

    [[nodiscard]] bool allows(const KeyUse& use, std::vector<HostRange>* ranges) const override;
    [[nodiscard]] std::uint64_t changes() const override { return changes_; }
    [[nodiscard]] WindowKey state_of(MrKey window) const;
    WcStatus carry_out(const KeyOperation& operation, PdNum pd, QpNum qp) override;
    bool invalidate(MrKey key, PdNum pd, QpNum qp, InvalidatedBy by) override;
    void add(const MemoryRegion& region) override;
    void add(const FreeKey& key) override;
    void remove(MrKey key) override;
    void report(StatSink& sink) const override;

private:
    // The latest change of a key, for its probe; the order is that of kChangeNames.
    enum class Change : std::uint8_t {
        none,
        registered,
        created,
        bound,
        fast_registered,
        invalidated,
        invalidated_by_peer,
        invalidated_by_read,
        removed,
    };
    static constexpr std::array<std::string_view, 9> kChangeNames{"none",
                                                                  "registered",
                                                                  "created",
                                                                  "bound",
                                                                  "fast_registered",
                                                                  "invalidated",
                                                                  "invalidated_by_peer",
                                                                  "invalidated_by_read",
                                                                  "removed"};

    // The entry with exactly this key, nullptr if there is none.
    [[nodiscard]] const KeyEntry* find(MrKey key) const;
    [[nodiscard]] bool permits(const KeyUse& use, std::vector<HostRange>* ranges) const;
    [[nodiscard]] bool permits_logical(const KeyUse& use, std::vector<HostRange>* ranges) const;
    [[nodiscard]] bool permits_pages(const KeyEntry& entry, const KeyUse& use, std::vector<HostRange>* ranges) const;
    WcStatus noted(WcStatus status, std::uint64_t& successes, MrKey key, Change change);
    [[nodiscard]] bool end_validity(MrKey key, PdNum pd, QpNum qp, Change change);
    void changed(MrKey key, Change change);

    std::unordered_map<std::uint32_t, KeyEntry> entries_;  // by key_index(); never iterated
    mutable const KeyEntry* recent_ = nullptr;
    Probe<std::uint32_t> key_{*this, "key", "key that was changed last"};
    Probe<Change> change_{*this, "change", "change of that key", kChangeNames};
    mutable Probe<std::uint32_t> refusals_{*this, "refused", "accesses refused so far"};
    mutable std::uint64_t refused_ = 0;
    std::uint64_t binds_ = 0;
    std::uint64_t fast_registers_ = 0;
    std::uint64_t invalidates_ = 0;
    std::uint64_t changes_ = 0;
};

}  // namespace ndsim
