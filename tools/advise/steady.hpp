// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tools/advise/search.hpp"

namespace ndsim::advise {

// More of single dimensions: for each, one more, the powers of two above that, and the most generous depth.
[[nodiscard]] std::vector<Raise> raises_of(const Depths& depths, const std::vector<Span>& spans);

// Steady: judges points for which more of any single dimension must do no harm. A point holds if it holds in every try,
// and with each raise, of which the worst of each dimension is tried as well; otherwise its trial is its own, or the
// worst one of a raise.
class Steady {
public:
    // `quiet` runs a point once, and may be used by others as well; `tries` runs it in every try.
    Steady(std::vector<Span> spans, Search& quiet, Oracle tries)
        : spans_(spans), quiet_(quiet), tries_(std::move(spans), std::move(tries)) {}

    [[nodiscard]] std::vector<Trial> trials_of(const std::vector<Depths>& points);

private:
    // A point with more of a dimension, and its trial.
    struct Raised {
        Raise raise;
        Depths depths;
        Trial trial;
    };
    [[nodiscard]] Trial with_raises(const Depths& depths, Trial trial);
    static void judge(std::vector<Raised>& points, Search& search);

    std::vector<Span> spans_;
    Search& quiet_;
    Search tries_;  // several points may share a raise
};

}  // namespace ndsim::advise
