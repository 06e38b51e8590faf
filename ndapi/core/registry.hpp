// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/srq.hpp"
#include "ndapi/core/number_table.hpp"

namespace ndsim::core {

class Cq;
class Mr;
class Mw;
class Qp;
class Srq;

// Registry: a driver's objects by their numbers and keys. A number rests after its object is gone, a key is never used
// again before all others were.
class Registry {
public:
    explicit Registry(HostId host);

    // Throws std::length_error beyond kQpPlaces queue pairs.
    [[nodiscard]] QpNum add(Qp& qp);
    void remove(QpNum qp);
    [[nodiscard]] Qp* find(QpNum qp) const;
    // In the order of their numbers.
    [[nodiscard]] std::vector<Qp*> qps() const;

    [[nodiscard]] CqNum add(Cq& cq) { return CqNum{cqs_.add(cq)}; }
    void remove(CqNum cq) { cqs_.remove(raw(cq)); }
    [[nodiscard]] Cq* find(CqNum cq) const { return cqs_.find(raw(cq)); }

    [[nodiscard]] SrqNum add(Srq& srq) { return SrqNum{srqs_.add(srq)}; }
    void remove(SrqNum srq) { srqs_.remove(raw(srq)); }
    [[nodiscard]] Srq* find(SrqNum srq) const { return srqs_.find(raw(srq)); }

    [[nodiscard]] PdNum new_pd() { return PdNum{next_pd_++}; }
    // Keys of different hosts differ, so that a key is good at its own host alone.
    [[nodiscard]] MrKey new_key();
    void add(Mr& mr);
    void remove(MrKey key) { mrs_.erase(key); }
    [[nodiscard]] const Mr* find(MrKey key) const;
    void add(Mw& mw);
    void remove(Mw& mw);
    // A Bind for this key has failed, or the key has been invalidated: a window with this key no longer has it.
    void key_died(MrKey key);
    // An Invalidate of this key has failed.
    void key_lives(MrKey key);

private:
    NumberTable<Qp> qps_;
    NumberTable<Cq> cqs_;
    NumberTable<Srq> srqs_;
    std::unordered_map<MrKey, Mr*> mrs_;          // never iterated
    std::unordered_map<std::uint32_t, Mw*> mws_;  // by key_index(); never iterated
    std::uint32_t next_key_;
    std::uint32_t next_pd_ = 1;
};

}  // namespace ndsim::core
