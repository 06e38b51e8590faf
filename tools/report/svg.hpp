// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ndsim::report {

// A point of a picture.
struct Point {
    double x = 0;
    double y = 0;
};

inline constexpr double kPictureWidth = 860;  // of all pictures on a page
inline constexpr double kNarrowWidth = 360;   // of those for a narrow screen

// The alignment of a text at its point.
enum class Anchor : int { start, middle, end };

// Colours that people with any kind of colour blindness can distinguish (Okabe and Ito), and greys.
namespace colour {
inline constexpr std::string_view kText = "#1a1a1a";
inline constexpr std::string_view kFaint = "#595959";
inline constexpr std::string_view kGrid = "#dddddd";
inline constexpr std::string_view kIdle = "#eeeeee";
inline constexpr std::string_view kBlue = "#0072b2";
inline constexpr std::string_view kOrange = "#e69f00";
inline constexpr std::string_view kGreen = "#009e73";
inline constexpr std::string_view kRed = "#d55e00";
inline constexpr std::string_view kPurple = "#aa4499";
inline constexpr std::string_view kSky = "#56b4e9";
}  // namespace colour

// The colour of the n-th of several things, and the dashes of its line.
[[nodiscard]] std::string_view nth_colour(std::size_t n);
[[nodiscard]] std::string_view nth_dashes(std::size_t n);

// The look of a line.
struct Stroke {
    std::string_view colour = colour::kText;
    double width = 1;
    std::string_view dashes = "";
    std::string_view marker = "";  // the id of an arrow's head
};

// The look of a text.
struct TextStyle {
    Anchor anchor = Anchor::start;
    std::string_view colour = colour::kText;
    bool strong = false;
    bool halo = false;  // white around it, for texts over lines
    double size = 11;
};

// Svg: a picture as text, written shape by shape. A shape's title is its tooltip.
class Svg {
public:
    Svg(double width, double height, std::string_view label);

    void line(Point from, Point to, const Stroke& stroke, std::string_view title = "");
    // Filled; `opacity` is from 0 to 1.
    void polygon(std::span<const Point> points, std::string_view fill, double opacity, std::string_view title = "");
    void rect(Point corner, double width, double height, std::string_view fill, std::string_view title = "");
    void circle(Point centre, double radius, std::string_view fill, std::string_view title = "");
    void text(Point at, std::string_view text, const TextStyle& style = {});
    // The head of arrows of this colour, named in Stroke::marker.
    void arrow_head(std::string_view id, std::string_view fill);

    [[nodiscard]] std::string take() { return std::move(text_) + "</g></svg>"; }

private:
    void close(std::string_view tag, std::string_view title);

    std::string text_;
};

// The approximate width of a text at a size.
[[nodiscard]] double width_of(std::string_view text, double size = 11);
// A text cut to this width if needed.
[[nodiscard]] std::string cut_to(std::string_view text, double width, double size = 11);
// A coordinate with one decimal, or none if that is zero.
[[nodiscard]] std::string coordinate(double value);

}  // namespace ndsim::report
