// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// SharedReceives: the generators whose messages take their receives from one shared queue. Each posts its share
// ahead, and one receive again for each message that it takes. A receive may serve any of them, so each has room for
// the largest message of all.
class SharedReceives {
public:
    // Those of the queue `srq` of a host.
    SharedReceives(const Scenario& scenario, const Host& host, const std::string& srq);

    // In the order of the file.
    [[nodiscard]] const std::vector<const Traffic*>& generators() const { return generators_; }
    [[nodiscard]] Bytes largest() const;
    // The receives that a generator posts ahead: its `receives`, or, without them, an equal share of what the others'
    // `receives` leave of the queue. 0: nothing is left.
    [[nodiscard]] std::uint64_t share_of(const Traffic& traffic) const;
    // The sum of all shares.
    [[nodiscard]] std::uint64_t ahead() const;
    // The sum of all `receives`.
    [[nodiscard]] std::uint64_t asked() const;
    [[nodiscard]] std::uint64_t depth() const { return depth_; }

private:
    std::vector<const Traffic*> generators_;
    std::uint64_t depth_ = 0;
};

}  // namespace ndsim
