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
    explicit Baseline(const Variants& variants);

    // Why nothing can be compared with it; empty if it can.
    [[nodiscard]] std::string_view flaw() const { return flaw_of(results_); }
    // One for each seed that variants are to be run with; the scenario's own is the first.
    [[nodiscard]] const Results& results() const { return results_; }
    [[nodiscard]] std::size_t seeds() const { return results_.size(); }

    [[nodiscard]] cli::Change change(const Results& after, std::string_view parameter) const {
        return change_of(results_, after, parameter);
    }
    // The largest gain, in parts per million, of one of the seeds over another.
    [[nodiscard]] std::int64_t chance(std::string_view parameter) const {
        return spread_of(results_, parameter, is_open(parameter));
    }
    // The least change that is a gain, in parts per million.
    [[nodiscard]] std::int64_t least(std::string_view parameter) const;
    // Whether all messages that count for the parameter arrive by themselves.
    [[nodiscard]] bool is_open(std::string_view parameter) const;

private:
    [[nodiscard]] bool is_by_chance() const;

    const Variants& variants_;
    Results results_;
};

}  // namespace ndsim::prove
