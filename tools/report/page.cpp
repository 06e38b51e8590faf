// SPDX-License-Identifier: Apache-2.0
#include "tools/report/page.hpp"

#include <fmt/format.h>

#include "scenarios/result/version.hpp"
#include "tools/report/html.hpp"

namespace ndsim::report {

// The build makes these from files (tools/cmake/NdsimEmbed.cmake).
extern const std::string_view kChartLibrary;
extern const std::string_view kChartStyle;
extern const std::string_view kPageScript;
extern const std::string_view kPageStyle;

std::string page_of(std::string_view title, std::string_view head, const std::vector<Chapter>& chapters) {
    std::string links;
    std::string text;
    for (const Chapter& chapter : chapters) {
        links += fmt::format("<a href=\"#{}\">{}</a>\n", anchor_of(chapter.title), escaped(chapter.title));
        text += heading(chapter.title) + chapter.html;
    }
    // The policy makes sure that nothing is loaded, whatever the page contains.
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>{}</title>\n<style>\n{}\n{}</style>\n</head>\n<body>\n{}<nav>\n{}</nav>\n{}"
        "<footer>Made by ndsim {} report.</footer>\n<script>\n{}\n</script>\n<script>\n{}</script>\n</body>\n</html>\n",
        escaped(title), kChartStyle, kPageStyle, head, links, text, version(), kChartLibrary, kPageScript);
}

}  // namespace ndsim::report
