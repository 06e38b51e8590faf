// SPDX-License-Identifier: Apache-2.0
#include "tools/report/html.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"

namespace ndsim::report {

std::string escaped(std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            case '\'':
                safe += "&#39;";
                break;
            default:
                safe += c;
        }
    }
    return safe;
}

std::string script_json(const nlohmann::ordered_json& json) {
    std::string safe;
    // In plain ASCII, and without characters that could end the script.
    for (const char c : json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
        safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
    }
    return safe;
}

std::string html_of(const Figure& figure) {
    std::string html = fmt::format("<figure id=\"{}\">\n<h3>{}</h3>\n", figure.id, escaped(figure.title));
    if (!figure.svg.empty()) {
        html +=
            fmt::format("<div class=\"picture{}\">{}</div>\n", figure.narrow.empty() ? "" : " has-narrow", figure.svg);
    }
    if (!figure.narrow.empty()) {
        html += fmt::format("<div class=\"narrow\">{}</div>\n", figure.narrow);
    }
    if (!figure.data.empty()) {
        html += fmt::format("<script type=\"application/json\" class=\"data\">{}</script>\n<noscript>{}</noscript>\n",
                            figure.data, note("A script draws these curves, and scripts do not run here."));
    }
    if (!figure.caption.empty()) {
        html += fmt::format("<figcaption>{}</figcaption>\n", escaped(figure.caption));
    }
    return html + "</figure>\n";
}

std::string html_of(const TableOf& table) {
    std::vector<bool> at_the_right;
    std::string html = "<div class=\"wide\"><table>\n<tr>";
    for (const std::string& name : table.heading) {
        at_the_right.push_back(name.starts_with('>'));
        html += at_the_right.back() ? "<th class=\"n\">" + escaped(name.substr(1)) : "<th>" + escaped(name);
        html += "</th>";
    }
    html += "</tr>\n";
    for (const std::vector<std::string>& row : table.rows) {
        html += table.total && &row == &table.rows.back() ? "<tr class=\"last\">" : "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            html += (at_the_right[i] ? "<td class=\"n\">" : "<td>") + escaped(row[i]) + "</td>";
        }
        html += "</tr>\n";
    }
    return html + "</table></div>\n";
}

std::string paragraph(std::string_view text) {
    return "<p>" + escaped(text) + "</p>\n";
}

std::string note(std::string_view text) {
    return "<p class=\"note\">" + escaped(text) + "</p>\n";
}

std::string anchor_of(std::string_view title) {
    std::string anchor;
    for (const char c : title) {
        anchor += c == ' ' ? '-' : c;
    }
    return lower_case(escaped(anchor));
}

std::string heading(std::string_view title) {
    return fmt::format("<h2 id=\"{}\">{}</h2>\n", anchor_of(title), escaped(title));
}

}  // namespace ndsim::report
