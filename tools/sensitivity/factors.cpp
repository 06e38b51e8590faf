// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/factors.hpp"

#include <algorithm>

#include "scenarios/result/limit_parameter.hpp"
#include "sim/base/histogram.hpp"
#include "sim/config/params.hpp"
#include "tools/cli/ranges.hpp"

namespace ndsim::sensitivity {

namespace {

constexpr std::uint64_t kPercent = 100;

// The quantity of a parameter's type, for types that are numbers.
std::optional<Quantity> quantity_of(const Param& param) {
    const auto found = std::ranges::find_if(kQuantities, [&](Quantity each) { return word(each) == param.type(); });
    return found == kQuantities.end() ? std::nullopt : std::optional(*found);
}

// A percentage of the value, or the next power of two, within the parameter's range; none if that is the value itself.
std::optional<std::string> scaled(const Param& param, std::uint32_t percent) {
    const auto quantity = quantity_of(param);
    const auto number = [&](const std::string& text) -> std::uint64_t {
        return quantity ? *parse(*quantity, text).value : std::stoull(text);
    };
    const auto part = static_cast<std::uint64_t>((WideSum{param.value()} * percent + kPercent / 2) / kPercent);
    const std::uint64_t power = percent > kPercent ? 2 * param.value() : param.value() / 2;
    const std::uint64_t whole = param.takes_powers_of_two() ? power : part;
    const std::uint64_t value = std::clamp(whole, number(param.low()), number(param.high()));
    if (value == param.value() || param.value() == 0) {
        return std::nullopt;
    }
    return to_text(Amount{value, quantity});
}

std::optional<std::string> high_end(const Param& param, const cli::Range& range) {
    return param.value() == 0 && !range.above_zero.empty() ? std::optional(std::string(range.above_zero))
                                                           : scaled(param, range.high);
}

// Collects the factors of a scenario.
class Factors {
public:
    explicit Factors(const Idle& idle) : idle_(idle) {}

    // Adds the parameters of one of several hosts, links or switches. `joint` is their common name.
    template <class Owner, class S>
    void add(const Owner& owner, S params, const std::string& section, const std::string& joint) {
        const std::string prefix = section + "." + owner.name + ".";
        for (const Param& param : params_of(params, "")) {
            const std::string path = prefix + param.path();
            const bool is_number = (param.type() == "count" && !param.is_word()) || quantity_of(param).has_value();
            const std::string name = joint + param.path();
            const cli::Range& range = cli::range_of(name);
            const auto idle = idle_.find(path);
            const bool may_shrink = idle == idle_.end() || idle->second.least > range.low;
            const bool may_grow = idle == idle_.end() || idle->second.most < range.high;
            if (!is_number || !(may_shrink || may_grow)) {
                continue;
            }
            const auto known = std::ranges::find_if(
                all_, [&](const Factor& each) { return each.name == name && each.value == param.current(); });
            if (known != all_.end()) {
                known->paths.push_back(path);
                known->low = may_shrink ? scaled(param, range.low) : known->low;
                known->high = may_grow ? high_end(param, range) : known->high;
                continue;
            }
            all_.push_back({name,
                            {path},
                            quantity_of(param),
                            param.current(),
                            may_shrink ? scaled(param, range.low) : std::nullopt,
                            may_grow ? high_end(param, range) : std::nullopt,
                            parameter_of(owner, param.path()).basis == LimitBasis::assumed,
                            range.reason});
        }
    }

    // A factor that not all have alike is named by its paths.
    [[nodiscard]] std::vector<Factor> take() {
        std::vector<Factor> named = all_;
        for (Factor& factor : named) {
            if (std::ranges::count(all_, factor.name, &Factor::name) > 1) {
                factor.name = factor.paths.front() + (factor.paths.size() > 1 ? " ..." : "");
            }
        }
        return named;
    }

private:
    const Idle& idle_;
    std::vector<Factor> all_;
};

}  // namespace

std::vector<Factor> factors_of(const Scenario& scenario, const Idle& idle) {
    Factors factors(idle);
    for (const Host& host : scenario.hosts) {
        factors.add(host, host.node, "hosts", "");
    }
    for (const Link& link : scenario.links) {
        factors.add(link, link.params, "links", "link.");
    }
    for (const NetworkSwitch& of : scenario.switches) {
        factors.add(of, of.params, "switches", "switch.");
    }
    return factors.take();
}

}  // namespace ndsim::sensitivity
