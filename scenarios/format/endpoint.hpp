// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace ndsim {

// Endpoint: a queue pair, a buffer or another thing of a host, by both names; written "A.q0".
struct Endpoint {
    std::string host;
    std::string name;

    [[nodiscard]] bool empty() const { return host.empty() && name.empty(); }
    [[nodiscard]] std::string text() const { return name.empty() ? host : host + "." + name; }
    friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
};

// If the text has no point, the name is `fallback`.
[[nodiscard]] inline Endpoint endpoint_of(std::string_view text, std::string_view fallback = {}) {
    const std::size_t point = text.find('.');
    return point == std::string_view::npos
               ? Endpoint{std::string(text), std::string(fallback)}
               : Endpoint{std::string(text.substr(0, point)), std::string(text.substr(point + 1))};
}

}  // namespace ndsim
