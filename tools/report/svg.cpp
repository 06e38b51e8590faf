// SPDX-License-Identifier: Apache-2.0
#include "tools/report/svg.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "tools/report/html.hpp"

namespace ndsim::report {

namespace {

constexpr double kCharacter = 0.56;  // of the size, for the mean letter of a sans-serif

std::string stroke_attributes(const Stroke& stroke) {
    std::string text = fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", stroke.colour, coordinate(stroke.width));
    if (!stroke.dashes.empty()) {
        text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
    }
    if (!stroke.marker.empty()) {
        text += fmt::format(" marker-end=\"url(#{})\"", stroke.marker);
    }
    return text;
}

// Counts bytes that begin a character.
std::size_t characters(std::string_view text) {
    std::size_t count = 0;
    for (const char c : text) {
        count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    }
    return count;
}

}  // namespace

std::string_view nth_colour(std::size_t n) {
    constexpr std::array kColours{colour::kBlue, colour::kRed,  colour::kGreen, colour::kPurple,
                                  colour::kSky,  colour::kText, colour::kOrange};
    return kColours.at(n % kColours.size());
}

std::string_view nth_dashes(std::size_t n) {
    constexpr std::array<std::string_view, 4> kDashes{"", "7 3", "2 2", "8 3 2 3"};
    return kDashes.at(n % kDashes.size());
}

std::string coordinate(double value) {
    const auto tenths = std::llround(value * 10);
    const auto rest = std::llabs(tenths) % 10;
    const std::string_view sign = tenths < 0 ? "-" : "";
    return rest == 0 ? fmt::format("{}{}", sign, std::llabs(tenths) / 10)
                     : fmt::format("{}{}.{}", sign, std::llabs(tenths) / 10, rest);
}

double width_of(std::string_view text, double size) {
    return kCharacter * size * static_cast<double>(characters(text));
}

std::string cut_to(std::string_view text, double width, double size) {
    std::string short_text(text);
    bool cut = false;
    while (short_text.size() > 1 && width_of(short_text, size) > width) {
        do {  // removes a whole character
            short_text.pop_back();
        } while (short_text.size() > 1 && (static_cast<unsigned char>(short_text.back()) & 0xC0U) == 0x80U);
        if (!cut) {
            width -= width_of("…", size);
        }
        cut = true;
    }
    return cut ? short_text + "…" : short_text;
}

Svg::Svg(double width, double height, std::string_view label)
    : text_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                        "height=\"{1}\" role=\"img\" aria-label=\"{2}\">"
                        "<g font-family=\"sans-serif\" font-size=\"11\">\n",
                        coordinate(width), coordinate(height), escaped(label))) {}

void Svg::close(std::string_view tag, std::string_view title) {
    text_ += title.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", escaped(title), tag);
}

void Svg::line(Point from, Point to, const Stroke& stroke, std::string_view title) {
    text_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}", coordinate(from.x), coordinate(from.y),
                         coordinate(to.x), coordinate(to.y), stroke_attributes(stroke));
    close("line", title);
}

void Svg::polygon(std::span<const Point> points, std::string_view fill, double opacity, std::string_view title) {
    text_ += fmt::format("<polygon fill=\"{}\" fill-opacity=\"{:.2f}\" points=\"", fill, opacity);
    for (const Point& point : points) {
        text_ += coordinate(point.x) + "," + coordinate(point.y) + " ";
    }
    text_ += '"';
    close("polygon", title);
}

void Svg::rect(Point corner, double width, double height, std::string_view fill, std::string_view title) {
    text_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"", coordinate(corner.x),
                         coordinate(corner.y), coordinate(width), coordinate(height), fill);
    close("rect", title);
}

void Svg::circle(Point centre, double radius, std::string_view fill, std::string_view title) {
    text_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"", coordinate(centre.x), coordinate(centre.y),
                         coordinate(radius), fill);
    close("circle", title);
}

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
    constexpr std::array<std::string_view, 3> kAnchors{"start", "middle", "end"};
    text_ += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\"", coordinate(at.x), coordinate(at.y), style.colour);
    if (style.anchor != Anchor::start) {
        text_ += fmt::format(" text-anchor=\"{}\"", kAnchors.at(static_cast<std::size_t>(style.anchor)));
    }
    if (style.size != TextStyle{}.size) {
        text_ += fmt::format(" font-size=\"{}\"", coordinate(style.size));
    }
    if (style.strong) {
        text_ += " font-weight=\"bold\"";
    }
    if (style.halo) {
        text_ += " stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"";
    }
    text_ += ">" + escaped(text) + "</text>\n";
}

void Svg::arrow_head(std::string_view id, std::string_view fill) {
    text_ += fmt::format(
        "<defs><marker id=\"{}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0 10 5 0 10z\" fill=\"{}\"/></marker></defs>\n",
        id, fill);
}

}  // namespace ndsim::report
