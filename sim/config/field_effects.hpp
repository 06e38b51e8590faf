// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/params.hpp"

namespace ndsim {

// The effects that a parameter's field lists; often none.
struct ParamEffects {
    std::string path;  // nic.tx_pipe
    std::vector<FieldEffect> effects;
};

// Lists the effects in the fields of a parameter struct.
class EffectLister {
public:
    EffectLister(std::vector<ParamEffects>& found, std::string prefix) : found_(found), prefix_(std::move(prefix)) {}

    template <class T, class... Description>
    void operator()(std::string_view name, T& value, const Description&... description) {
        const std::string path = prefix_.empty() ? std::string(name) : prefix_ + "." + std::string(name);
        if constexpr (HasFields<T>) {
            value.fields(EffectLister(found_, path));
        } else {
            found_.push_back({path, {}});
            (take(description), ...);
        }
    }

private:
    template <class T>
    void take(const T& description) {
        if constexpr (std::same_as<T, FieldEffect>) {
            found_.back().effects.push_back(description);
        }
    }

    std::vector<ParamEffects>& found_;
    std::string prefix_;
};

template <HasFields S>
[[nodiscard]] std::vector<ParamEffects> effects_of(S s, std::string prefix) {
    std::vector<ParamEffects> found;
    s.fields(EffectLister(found, std::move(prefix)));
    return found;
}

}  // namespace ndsim
