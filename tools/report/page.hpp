// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ndsim::report {

struct Chapter {
    std::string title;
    std::string html;
};

// A whole page: one file that needs no other one, and no network. `head` stands above the chapters.
[[nodiscard]] std::string page_of(std::string_view title, std::string_view head, const std::vector<Chapter>& chapters);

}  // namespace ndsim::report
