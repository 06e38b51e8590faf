// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ndsim::report {

// Escapes text for HTML, between tags or in an attribute.
[[nodiscard]] std::string escaped(std::string_view text);
// JSON in a form that is safe in a <script>.
[[nodiscard]] std::string script_json(const nlohmann::ordered_json& json);

// One figure of a page: a picture, or curves, which the chart library draws from their data.
struct Figure {
    std::string id;
    std::string title;
    std::string svg;       // empty: curves
    std::string caption;   // may be empty
    std::string data;      // JSON; empty: a picture
    std::string narrow{};  // the same picture for a narrow screen; empty: the wide one scrolls
};

// Cells are texts; a column whose heading begins with '>' is right-aligned.
struct TableOf {
    std::vector<std::string> heading;
    std::vector<std::vector<std::string>> rows;
    bool total = false;  // the last row is the sum of the others
};

[[nodiscard]] std::string html_of(const Figure& figure);
[[nodiscard]] std::string html_of(const TableOf& table);
[[nodiscard]] std::string paragraph(std::string_view text);
[[nodiscard]] std::string note(std::string_view text);
[[nodiscard]] std::string anchor_of(std::string_view title);
[[nodiscard]] std::string heading(std::string_view title);  // of a chapter, with its anchor

}  // namespace ndsim::report
