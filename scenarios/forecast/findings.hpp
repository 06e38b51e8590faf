// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "scenarios/forecast/forecast.hpp"

namespace ndsim::forecast {

// Something foreseen in the one course of events that is followed, and the conditions for its certainty. In `what`, #
// stands for "will" or "may".
struct Finding {
    Foreseen foreseen;
    bool must = true;             // if not, it depends on timing by itself
    bool even_if_broken = false;  // if a connection breaks in another course; then programs get further, never less far
    bool even_if_slower = false;  // programs get less far in another course
    bool even_if_unsure = false;  // whatever else happens
    bool or_cancelled = false;    // or cancelled, if its connection breaks earlier
};

// Findings: everything found, and how the true course may differ from the one that was followed.
class Findings {
public:
    // Returns the number of the finding.
    std::size_t add(Finding finding) {
        list_.push_back(std::move(finding));
        return list_.size() - 1;
    }
    void or_cancelled(std::size_t number) { list_[number].or_cancelled = true; }
    // In other courses a connection breaks, programs get less far, or the outcome is unknown.
    enum class Doubt : std::uint8_t { broken, slower, unsure };
    // Notes that something is left out.
    void leave_out(const Op& op, std::string why, Doubt doubt);
    void leave_out(Position at, const std::string& path, std::string why, Doubt doubt);
    void doubt(Doubt doubt);
    // Programs get something only if no connection breaks.
    void lost_if_broken() { lost_if_broken_ = true; }
    [[nodiscard]] bool has_doubts() const { return may_break_ || may_be_slower_ || unsure_; }
    [[nodiscard]] bool may_break() const { return may_break_; }
    [[nodiscard]] bool is_unsure() const { return unsure_; }

    // The words and certainties of all findings.
    [[nodiscard]] Forecast forecast() const;

private:
    [[nodiscard]] bool is_certain(const Finding& finding) const;

    std::vector<Finding> list_;
    std::vector<NotFollowed> left_out_;
    std::set<std::string> said_;
    bool may_break_ = false;
    bool lost_if_broken_ = false;
    bool may_be_slower_ = false;
    bool unsure_ = false;
};

}  // namespace ndsim::forecast
