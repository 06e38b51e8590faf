// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ladder_looks.hpp"

#include <array>

namespace ndsim::report {

namespace {

// In the order of Rung.
constexpr std::array<Look, 7> kLooks{{{colour::kBlue, 1.5, false, "head-data"},
                                      {colour::kPurple, 3, true, "head-invalidate"},
                                      {colour::kGreen, 1.5, false, "head-read"},
                                      {"#888888", 1, false, "head-ack"},
                                      {colour::kRed, 3, true, "head-rnr"},
                                      {colour::kRed, 3, true, "head-nak"},
                                      {"#888888", 1, false, "head-management"}}};

constexpr double kLegendLine = 18;

// A sign of the legend: an arrow's line, a bar beside a host, or a dot.
enum class Sign : std::uint8_t { line, bar, dot };
struct Explained {
    Sign sign;
    std::string_view name;
    std::string_view colour;
    double width;  // of a line; the radius of a dot
};
constexpr std::array<Explained, 9> kLegend{{{Sign::line, "data", kLooks[0].colour, kLooks[0].width},
                                            {Sign::line, "SendAndInvalidate", kLooks[1].colour, kLooks[1].width},
                                            {Sign::line, "Read", kLooks[2].colour, kLooks[2].width},
                                            {Sign::line, "ACK", kLooks[3].colour, kLooks[3].width},
                                            {Sign::line, "NAK, RNR NAK", kLooks[5].colour, kLooks[5].width},
                                            {Sign::bar, "held at a fence", colour::kOrange, 0},
                                            {Sign::bar, "RNR wait", colour::kRed, 0},
                                            {Sign::dot, "success", colour::kGreen, 3},
                                            {Sign::dot, "failure", colour::kRed, 4}}};

}  // namespace

std::span<const Look> all_looks() {
    return kLooks;
}

const Look& look_of(const LadderMessage& message) {
    return kLooks.at(static_cast<std::size_t>(message.rung));
}

void draw_ladder_legend(Svg& svg, Point from, double width) {
    Point at = from;
    for (const Explained& each : kLegend) {
        const double sign = each.sign == Sign::line ? 24 : 11;
        const double needed = sign + width_of(each.name);
        if (at.x + needed > width) {
            at = {from.x, at.y + kLegendLine};
        }
        switch (each.sign) {
            case Sign::line:
                svg.line(at, {at.x + 20, at.y}, {each.colour, each.width});
                break;
            case Sign::bar:
                svg.rect({at.x, at.y - 5}, 6, 11, each.colour);
                break;
            case Sign::dot:
                svg.circle({at.x + 4, at.y}, each.width, each.colour);
                break;
        }
        svg.text({at.x + sign, at.y + 4}, each.name);
        at.x += needed + 17;
    }
}

}  // namespace ndsim::report
