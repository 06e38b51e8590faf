// SPDX-License-Identifier: Apache-2.0
#include "tools/report/csv_file.hpp"

namespace ndsim::report {

std::optional<std::vector<std::vector<std::string>>> parse_csv(std::string_view text) {
    std::vector<std::vector<std::string>> lines;
    bool quoted = false;
    bool begins = true;  // of a line
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (begins) {
            lines.push_back({""});
            begins = false;
        }
        if (c == '"') {
            const bool is_escaped = quoted && i + 1 < text.size() && text[i + 1] == '"';
            if (is_escaped) {
                lines.back().back() += c;
                ++i;
            } else {
                quoted = !quoted;
            }
        } else if (quoted || (c != ',' && c != '\n')) {
            lines.back().back() += c;
        } else if (c == ',') {
            lines.back().emplace_back();
        } else {
            begins = true;
        }
    }
    return quoted ? std::nullopt : std::optional(std::move(lines));
}

}  // namespace ndsim::report
