// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tools/prove/gain.hpp"
#include "tools/prove/variants.hpp"

namespace ndsim::prove {

// Baseline: the scenario as it is, against which variants are compared. Where chance moves its figures, each figure is
// the mean of several seeds, and a gain is more than chance alone brings.
class Baseline {
public:
    // The variants must outlive it.
    explicit Baseline(Variants& variants);

    // Why nothing can be compared with it; empty if it can.
    [[nodiscard]] std::string_view flaw() const { return flaw_of(results_); }
    // One for each seed that variants are to be run with; the scenario's own is the first.
    [[nodiscard]] const Results& results() const { return results_; }
    [[nodiscard]] std::size_t seeds() const { return results_.size(); }

    [[nodiscard]] cli::Change change(const Results& after, const Generators& of) const {
        return change_of(results_, after, of);
    }
    // The largest gain, in parts per million, of one of the seeds over another.
    [[nodiscard]] std::int64_t chance(const Generators& of) const { return spread_of(results_, of, is_open(of)); }
    // The least change that is a gain, in parts per million.
    [[nodiscard]] std::int64_t least(const Generators& of) const;
    // Whether all messages of these generators arrive by themselves.
    [[nodiscard]] bool is_open(const Generators& of) const;

private:
    [[nodiscard]] bool is_by_chance() const;

    const Variants& variants_;
    Results results_;
};

}  // namespace ndsim::prove
