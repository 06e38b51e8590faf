// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/findings.hpp"

#include <algorithm>

namespace ndsim::forecast {

void Findings::leave_out(const Op& op, std::string why, Doubt doubt) {
    leave_out(op.at, op.path, std::move(why), doubt);
}

void Findings::leave_out(Position at, const std::string& path, std::string why, Doubt doubt) {
    this->doubt(doubt);
    if (said_.insert(path + why).second) {
        left_out_.push_back({at, path, std::move(why)});
    }
}

void Findings::doubt(Doubt doubt) {
    may_break_ = may_break_ || doubt == Doubt::broken;
    may_be_slower_ = may_be_slower_ || doubt == Doubt::slower;
    unsure_ = unsure_ || doubt == Doubt::unsure;
}

bool Findings::is_certain(const Finding& finding) const {
    const bool may_be_slower = may_be_slower_ || (may_break_ && lost_if_broken_);
    return finding.must && (finding.even_if_unsure || (!unsure_ && (!may_break_ || finding.even_if_broken) &&
                                                       (!may_be_slower || finding.even_if_slower)));
}

Forecast Findings::forecast() const {
    Forecast forecast;
    for (const Finding& finding : list_) {
        Foreseen said = finding.foreseen;
        said.certainty = is_certain(finding) ? Certainty::will : Certainty::may;
        said.what.replace(said.what.find('#'), 1, kCertaintyNames.at(static_cast<std::size_t>(said.certainty)));
        const bool is_cancelled = std::ranges::count(said.statuses, "cancelled") > 0;
        if (finding.must && !is_cancelled && said.kind == ForeseenKind::fails && (finding.or_cancelled || may_break_)) {
            said.statuses.emplace_back("cancelled");
            said.what += "; or it is cancelled, if its connection ends before that";
        }
        forecast.foreseen.push_back(std::move(said));
    }
    const auto place = [](const auto& a) { return std::pair(a.at, std::string_view(a.path)); };
    std::ranges::stable_sort(forecast.foreseen, {},
                             [&](const Foreseen& a) { return std::pair(a.certainty, place(a)); });
    forecast.not_followed = left_out_;
    std::ranges::stable_sort(forecast.not_followed, {}, place);
    return forecast;
}

}  // namespace ndsim::forecast
