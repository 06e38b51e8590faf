// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ndsim::report {

// A chapter of a page.
struct Chapter {
    std::string title;
    std::string html;
};

// A whole page: one file without other files or network. `head` is above the chapters.
[[nodiscard]] std::string page_of(std::string_view title, std::string_view head, const std::vector<Chapter>& chapters);

}  // namespace ndsim::report
