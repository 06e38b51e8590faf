// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "tools/advise/advice.hpp"
#include "tools/advise/steady.hpp"

namespace ndsim::advise {

// Adviser: the steps of the search, one after the other. Results up to the end of the time are kept.
class Adviser {
public:
    Adviser(Advice& advice, const cli::ScenarioArguments& arguments, const Scenario& scenario, Points& points);

    void advise();

private:
    void take_steps();
    // Completion queues have a curve of their own, with everything else as built.
    [[nodiscard]] std::set<std::size_t> searched() const;
    // Too much may be worse: deep send queues fill the buffer of a switch. None: no step of a curve holds.
    [[nodiscard]] std::optional<Lowered> lowered();
    // A rough estimate for the progress: powers of two and halves of each dimension, and tries near the answer.
    [[nodiscard]] std::size_t expected() const;
    // The point where every dimension has its own minimum; an exception, or one without a minimum, has none.
    [[nodiscard]] Depths near() const;
    [[nodiscard]] bool is_cheaper(const Depths& a, const Depths& b) const;
    // No depth can be one less. If all individual minima hold together, they are the answer. Otherwise a saving in one
    // needs more of another: each is minimised first once, and the cheapest outcome is tried.
    [[nodiscard]] Joint joint();
    // With completion queues that are just safe, if that holds, too.
    [[nodiscard]] Joint with_safe_queues(Joint joint);
    [[nodiscard]] Build built_on(Joint joint) const;
    // The least depth of each completion queue for software as in the tries, with the others as built.
    void add_least_completions(Build& build);
    // The gain from one more of each; none for a completion queue that has room for all completions.
    void add_one_more(Build& build);
    // Keeps the cheapest depths that held in every try.
    void keep_what_holds();

    Advice& advice_;
    const cli::ScenarioArguments& arguments_;
    const Scenario& scenario_;
    Points& points_;
    const std::vector<Dimension>& dimensions_;
    Search quiet_;  // each point once, with the scenario as it is
    Steady steady_;
    Search tried_;  // each in every try, and with more of each dimension
};

}  // namespace ndsim::advise
