// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/named_dimension.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/config/params.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::advise {

namespace {

constexpr std::uint64_t kSteps = 64;     // of a size, up to the scenario's value
constexpr std::uint64_t kGenerous = 16;  // times the scenario's value
// At most the scenario's value: a larger code makes senders wait longer.
constexpr std::string_view kRnrTimer = "nic.rnr_timer";

// A parameter and its value.
struct Found {
    std::string sentence;
    std::string current;
    std::uint64_t value = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::optional<Quantity> quantity;
};

std::uint64_t number(const std::string& text, const std::optional<Quantity>& quantity) {
    return quantity ? *parse(*quantity, text).value : std::stoull(text);
}

// A parameter that is a count or a size.
template <class S>
std::optional<Found> find_in(S params, const std::string& prefix, const std::string& path) {
    for (const Param& param : params_of(params, prefix)) {
        const bool is_size = param.type() == "size";
        if (param.path() == path && (is_size || param.type() == "count") && !param.is_word()) {
            const auto quantity = is_size ? std::optional(Quantity::size) : std::nullopt;
            return Found{std::string(param.sentence()),  param.current(), param.value(), number(param.low(), quantity),
                         number(param.high(), quantity), quantity};
        }
    }
    return std::nullopt;
}

std::optional<Found> find_in(const Scenario& scenario, const std::string& path) {
    std::optional<Found> found;
    const auto look = [&](const auto& params, const std::string& prefix) {
        if (!found && path.starts_with(prefix + ".")) {
            found = find_in(params, prefix, path);
        }
    };
    for (const Host& host : scenario.hosts) {
        look(host.node, "hosts." + host.name);
    }
    for (const NetworkSwitch& of : scenario.switches) {
        look(of.params, "switches." + of.name);
    }
    for (const Traffic& traffic : scenario.traffic) {
        look(traffic, "traffic." + traffic.name);
    }
    return found;
}

// The largest power of two of which at least kSteps fit into the value.
std::uint64_t step_of(std::uint64_t value) {
    std::uint64_t step = 1;
    while (step * 2 * kSteps <= value) {
        step *= 2;
    }
    return step;
}

// "hosts.A.nic.rx_buffer" becomes "A nic.rx_buffer".
std::string name_of(const std::string& path) {
    std::string name = path.substr(path.find('.') + 1);
    name[name.find('.')] = ' ';
    return name;
}

}  // namespace

DepthRange range_of(const std::string& parameter) {
    NodeParams node;
    const std::vector<Param> params = params_of(node, "");
    const Param& param = *std::ranges::find(params, parameter, &Param::path);
    return {std::max<std::uint64_t>(1, std::stoull(param.low())), std::stoull(param.high())};
}

std::uint64_t generous_of(std::uint64_t own, std::uint64_t high) {
    return std::min(own * kGenerous, high);
}

Dimension named_dimension(const Scenario& scenario, const std::string& path) {
    const auto found = find_in(scenario, path);
    if (!found) {
        throw cli::UsageError(fmt::format(
            "--search: {} is not a depth: depths are whole numbers and sizes of hosts, switches and generators", path));
    }
    if (found->value == 0) {
        throw cli::UsageError(fmt::format("--search: {} is 0 here: give it a value to search from", path));
    }
    Dimension dimension{name_of(path), found->sentence, {}};
    const std::uint64_t step = found->quantity ? step_of(found->value) : 1;
    const std::uint64_t most = path.ends_with(kRnrTimer) ? found->value : generous_of(found->value, found->high);
    dimension.settings.push_back({path, step, found->high});
    dimension.low = std::max<std::uint64_t>(1, (found->low + step - 1) / step);
    dimension.own = found->value / step;
    dimension.generous = std::max(dimension.low, most / step);
    dimension.quantity = found->quantity;
    return dimension;
}

}  // namespace ndsim::advise
