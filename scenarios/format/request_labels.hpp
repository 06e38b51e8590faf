// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace ndsim::format {

// RequestLabels: the labels that expectations can name, "A.s1". The label of a counted post stands for those of all its
// requests, A.s1[0], A.s1[1] and so on.
class RequestLabels {
public:
    explicit RequestLabels(const Scenario& scenario);

    // A request with a label.
    struct Labelled {
        std::string name;
        std::uint32_t flags = 0;
    };
    // The requests that a label stands for; none if nothing has it.
    [[nodiscard]] std::span<const Labelled> find(const std::string& label) const;
    [[nodiscard]] std::vector<std::string> all() const;

private:
    void collect(const std::string& host, const std::vector<Op>& ops);

    std::map<std::string, std::vector<Labelled>> labels_;
};

}  // namespace ndsim::format
