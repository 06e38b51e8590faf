// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/quantity.hpp"
#include "tools/cli/figures.hpp"
#include "tools/report/ladder.hpp"
#include "tools/report/ladder_looks.hpp"
#include "tools/report/ladder_scale.hpp"
#include "tools/report/svg.hpp"

namespace ndsim::report {

namespace {

// The places of a picture. Where there is no room beside the outer lanes, their texts are between the lanes.
struct LadderPlaces {
    double times;  // the column of times
    double outer;  // beside the outer lanes
    double apart;  // between two lanes
    double least;  // between many lanes
    double right;  // behind all
    double top;
    double legend;           // where it begins
    std::string_view heads;  // before the ids of arrows' heads
    bool texts_between = false;
};
constexpr LadderPlaces kWideLadder{84, 190, 370, 220, 50, 64, 84, ""};
constexpr LadderPlaces kNarrowLadder{70, 8, 272, 110, 2, 100, 4, "narrow-", true};
constexpr double kLabelled = 16;  // height of a row with a text
constexpr double kPlain = 4;
constexpr double kBold = 1.12;  // width of bold letters to that of others

std::string exactly(Picoseconds time) {
    return to_text(time);
}

std::string label_of(const LadderMessage& message) {
    std::string text = message.name;
    text += message.invalidates.empty() ? "" : " (key " + message.invalidates + ")";
    text += message.bytes > 0 && message.rung != Rung::management ? " " + to_text(Bytes{message.bytes}) : "";
    text += message.packets > 1 ? fmt::format(" in {} packets", message.packets) : "";
    text += message.request.empty() ? "" : ", " + message.request;
    return text + (message.again ? ", sent again" : "") + (message.lost ? ", lost" : "");
}

std::string title_of(const LadderMessage& message) {
    std::string text = fmt::format("{}, from {}, begun at {}", label_of(message), message.from, exactly(message.begin));
    if (!message.lost) {
        text += fmt::format(", all at {} at {}, after {}", message.to, exactly(message.end),
                            exactly(message.end - message.begin));
    }
    return text;
}

// The picture: lanes side by side, time downwards.
class LadderDrawing {
public:
    LadderDrawing(const std::vector<LadderMessage>& messages, const std::vector<LadderHold>& holds,
                  const std::vector<LadderEnd>& ends, const LadderPlaces& places)
        : places_(places),
          lanes_(lanes_of(messages)),
          scale_(scale_of(messages, holds, ends)),
          svg_(width(), height(), "Ladder diagram") {}

    void draw(const std::vector<LadderMessage>& messages, const std::vector<LadderHold>& holds,
              const std::vector<LadderEnd>& ends) {
        draw_frame();
        for (const LadderHold& hold : holds) {
            draw(hold);
        }
        for (const LadderMessage& message : messages) {
            draw(message);
        }
        for (const LadderMessage& message : messages) {
            draw_label(message);  // on top of all lines
        }
        for (const LadderMessage& message : messages) {
            if (message.lost) {
                draw_cross(end_of_lost(message));
            }
        }
        for (const LadderEnd& end : ends) {
            draw(end);
        }
    }
    [[nodiscard]] std::string take() { return svg_.take(); }

private:
    static std::vector<std::string> lanes_of(const std::vector<LadderMessage>& messages) {
        std::vector<std::string> lanes;
        const auto add = [&lanes](const std::string& host) {
            if (std::ranges::find(lanes, host) == lanes.end()) {
                lanes.push_back(host);
            }
        };
        for (const LadderMessage& message : messages) {
            add(message.from);
            if (!message.lost) {
                add(message.to);
            }
        }
        std::ranges::sort(lanes, {}, [](const std::string& host) { return std::pair(host.size(), host); });
        return lanes;
    }
    [[nodiscard]] LadderScale scale_of(const std::vector<LadderMessage>& messages, const std::vector<LadderHold>& holds,
                                       const std::vector<LadderEnd>& ends) const {
        std::vector<LadderMoment> moments;
        for (const LadderMessage& message : messages) {
            moments.push_back({message.begin, kLabelled});
            for (const Picoseconds time : {message.last_begin, message.first_end, message.end}) {
                moments.push_back({time, kPlain});
            }
        }
        for (const LadderHold& hold : holds) {
            moments.push_back({std::max(hold.begin, messages.front().begin), kLabelled});
            moments.push_back({hold.end, kPlain});
        }
        for (const LadderEnd& end : ends) {
            moments.push_back({end.at, end.status == "success" ? kPlain : kLabelled});
        }
        return {std::move(moments), places_.top};
    }
    [[nodiscard]] std::optional<double> lane(const std::string& host) const {
        const auto found = std::ranges::find(lanes_, host);
        return found == lanes_.end() ? std::nullopt
                                     : std::optional(places_.times + places_.outer +
                                                     apart() * static_cast<double>(found - lanes_.begin()));
    }
    [[nodiscard]] double gaps() const { return static_cast<double>(std::max<std::size_t>(lanes_.size(), 2) - 1); }
    [[nodiscard]] double apart() const { return std::max(places_.apart / gaps(), places_.least); }
    [[nodiscard]] double width() const { return places_.times + 2 * places_.outer + apart() * gaps() + places_.right; }
    [[nodiscard]] double height() const { return scale_.bottom() + 24; }
    [[nodiscard]] bool is_first(const std::string& host) const { return lanes_.front() == host; }

    [[nodiscard]] std::string head_of(const Look& look) const { return std::string(places_.heads) += look.head; }

    void draw_frame() {
        draw_ladder_legend(svg_, {places_.legend, 10}, width());
        for (const Look& look : all_looks()) {
            svg_.arrow_head(head_of(look), look.colour);
        }
        svg_.text({places_.times - 12, places_.top - 22}, "time [us]", {Anchor::end, colour::kFaint});
        for (const std::string& host : lanes_) {
            svg_.line({*lane(host), places_.top - 14}, {*lane(host), scale_.bottom() + 12}, {colour::kText, 1.5});
            svg_.text({*lane(host), places_.top - 22}, host, {Anchor::middle, colour::kText, true, false, 14});
        }
        for (const LadderPause& pause : scale_.pauses()) {
            svg_.line({places_.times, pause.y}, {width() - 20, pause.y}, {colour::kGrid, 1, "2 4"});
            const double x = places_.texts_between ? *lane(lanes_.front()) + 12 : places_.times;
            svg_.text({x, pause.y + 4}, cli::figure(pause.time) + " pass",
                      {Anchor::start, colour::kFaint, false, true});
        }
    }

    void draw(const LadderMessage& message) {
        const Look& look = look_of(message);
        const double from = *lane(message.from);
        const double y = scale_.y(message.begin);
        draw_time(message.begin, y);
        if (message.lost) {
            svg_.line({from, y}, end_of_lost(message), {colour::kRed, 1.5, "4 3"}, title_of(message));
            return;
        }
        const double to = *lane(message.to);
        const std::string title = title_of(message);
        if (message.packets > 1) {
            const std::array<Point, 4> band{{{from, y},
                                             {to, scale_.y(message.first_end)},
                                             {to, scale_.y(message.end)},
                                             {from, scale_.y(message.last_begin)}}};
            svg_.polygon(band, look.colour, 0.15, title);
            svg_.line({from, y}, {to, scale_.y(message.first_end)}, {look.colour, 1}, title);
        }
        const std::string head = head_of(look);
        svg_.line({from, scale_.y(message.last_begin)}, {to, scale_.y(message.end)},
                  {look.colour, look.width, message.again ? "6 3" : "", head}, title);
    }
    void draw_time(Picoseconds time, double y) {
        if (time != shown_) {
            svg_.text({places_.times - 12, y + 4},
                      cli::decimal(static_cast<std::uint64_t>((time.count() + 500) / 1000), 3), {Anchor::end});
        }
        shown_ = time;
    }
    [[nodiscard]] Point end_of_lost(const LadderMessage& message) const {
        const double way = (is_first(message.from) ? 0.55 : -0.55) * apart();
        return {*lane(message.from) + way, scale_.y(message.begin) + 10};
    }
    void draw_cross(Point at) {
        svg_.line({at.x - 5, at.y - 5}, {at.x + 5, at.y + 5}, {colour::kRed, 2.5});
        svg_.line({at.x - 5, at.y + 5}, {at.x + 5, at.y - 5}, {colour::kRed, 2.5});
    }
    void draw_label(const LadderMessage& message) {
        const bool to_the_right = message.lost ? is_first(message.from) : *lane(message.to) > *lane(message.from);
        const Look& look = look_of(message);
        const std::string_view fill = message.lost ? colour::kRed : look.strong ? look.colour : colour::kText;
        svg_.text({*lane(message.from) + (to_the_right ? 10 : -10), scale_.y(message.begin) - 3},
                  cut_to(label_of(message), (apart() - 16) / (look.strong ? kBold : 1)),
                  {to_the_right ? Anchor::start : Anchor::end, fill, look.strong, true});
    }
    void beside(const std::string& host, double y, const std::string& text, std::string_view fill) {
        const bool at_the_left = places_.texts_between ? lanes_.back() == host : is_first(host);
        const double room = places_.texts_between ? apart() - 20 : places_.outer - 4;
        svg_.text({*lane(host) + (at_the_left ? -12 : 12), y}, cut_to(text, room),
                  {at_the_left ? Anchor::end : Anchor::start, fill, true, true});
    }
    void draw(const LadderHold& hold) {
        if (!lane(hold.host)) {
            return;
        }
        const bool at_fence = hold.account == "fence";
        const double begin = std::max(scale_.y(hold.begin), places_.top);
        const std::string text = fmt::format("{} {}: {}", hold.request, at_fence ? "at the fence" : "RNR wait",
                                             cli::figure(hold.end - hold.begin));
        svg_.rect({*lane(hold.host) - 4, begin}, 8, std::max(scale_.y(hold.end) - begin, 3.0),
                  at_fence ? colour::kOrange : colour::kRed,
                  fmt::format("{}, from {} to {}", text, exactly(hold.begin), exactly(hold.end)));
        beside(hold.host, begin + (places_.texts_between ? -3 : 10), text, at_fence ? "#8a5f00" : colour::kRed);
    }
    void draw(const LadderEnd& end) {
        if (!lane(end.host)) {
            return;
        }
        const bool good = end.status == "success";
        const std::string title = fmt::format("{}: {}, at {}", end.request, end.status, exactly(end.at));
        svg_.circle({*lane(end.host), scale_.y(end.at)}, good ? 3 : 4, good ? colour::kGreen : colour::kRed, title);
        if (!good) {
            beside(end.host, scale_.y(end.at) + (places_.texts_between ? 0 : 4), end.name + ": " + end.status,
                   colour::kRed);
        }
    }

    const LadderPlaces& places_;
    std::vector<std::string> lanes_;
    LadderScale scale_;
    Svg svg_;
    Picoseconds shown_{-1};  // last time in the column of times
};

}  // namespace

std::string ladder_svg(const std::vector<LadderMessage>& messages, const std::vector<LadderHold>& holds,
                       const std::vector<LadderEnd>& ends, LadderScreen screen) {
    LadderDrawing picture(messages, holds, ends, screen == LadderScreen::wide ? kWideLadder : kNarrowLadder);
    picture.draw(messages, holds, ends);
    return picture.take();
}

}  // namespace ndsim::report
