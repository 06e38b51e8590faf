// SPDX-License-Identifier: Apache-2.0
#include "tools/report/engine_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/cli/figures.hpp"
#include "tools/report/html.hpp"
#include "tools/report/line_plot.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"

namespace ndsim::report {

namespace {

constexpr double kEngineNames = 150;      // minimum at the left
constexpr double kMostEngineNames = 250;  // for common names of alike ones
constexpr double kWords = 270;            // at the right
constexpr double kEngineRow = 20;
constexpr double kEngineTop = 30;
constexpr double kNarrowRow = 32;  // the name above the bar
constexpr double kNarrowWords = 16;
constexpr double kNarrowEdge = 8;
constexpr std::size_t kEngines = 24;
constexpr std::size_t kCauses = 3;  // in words; a tooltip shows all

// A wait and its time.
struct Wait {
    std::string cause;
    std::uint64_t time = 0;
};
// The times of an engine.
struct Engine {
    std::string name;
    std::uint64_t busy = 0;
    std::uint64_t blocked = 0;
    std::uint64_t all = 0;
    std::vector<Wait> waits{};  // longest first

    [[nodiscard]] double share(std::uint64_t time) const {
        return 100 * static_cast<double>(time) / static_cast<double>(std::max<std::uint64_t>(all, 1));
    }
};

std::uint64_t picoseconds(Picoseconds time) {
    return static_cast<std::uint64_t>(time.count());
}

// Engines that did anything, alike ones merged, the longest wait first.
std::vector<Engine> engines_of(const inspect::RecordedRun& run) {
    std::vector<Engine> engines;
    for (const EngineUse& use : run.alike.merged(recorded_engines(run))) {
        Engine engine{use.engine, picoseconds(use.busy), picoseconds(use.blocked_in_all())};
        engine.all = picoseconds(use.idle) + engine.busy + engine.blocked;
        for (const auto& [cause, time] : use.blocked) {
            if (time > Picoseconds{}) {
                engine.waits.push_back({cause, picoseconds(time)});
            }
        }
        std::ranges::stable_sort(engine.waits, std::ranges::greater{}, &Wait::time);
        if (engine.busy + engine.blocked > 0) {
            engines.push_back(std::move(engine));
        }
    }
    std::ranges::stable_sort(engines, [](const Engine& a, const Engine& b) {
        return a.share(a.blocked) != b.share(b.blocked) ? a.share(a.blocked) > b.share(b.blocked)
                                                        : a.share(a.busy) > b.share(b.busy);
    });
    return engines;
}

std::string percent(const Engine& engine, std::uint64_t time) {
    return cli::percent(time, engine.all) + " %";
}

std::string words_of(const Engine& engine) {
    std::vector<std::string> words;
    for (const Wait& wait : engine.waits) {
        if (words.size() < kCauses) {
            words.push_back(wait.cause + " " + percent(engine, wait.time));
        }
    }
    return fmt::format("{}{}", fmt::join(words, ", "), engine.waits.size() > kCauses ? " ..." : "");
}

// The width of the names at the left.
double room_for_names(const std::vector<Engine>& engines) {
    double room = kEngineNames;
    for (const Engine& engine : engines) {
        room = std::max(room, width_of(engine.name) + 12);
    }
    return std::min(room, kMostEngineNames);
}

void draw_legend(Svg& svg, double names, std::string_view where) {
    svg.rect({names, 6}, 10, 10, colour::kBlue);
    svg.text({names + 15, 15}, "busy");
    svg.rect({names + 60, 6}, 10, 10, colour::kRed);
    svg.rect({names + 72, 6}, 10, 10, colour::kOrange);
    svg.text({names + 87, 15}, fmt::format("blocked, by what stands {}, the longest first", where));
}

// The bar of an engine, in the row that begins at `y`.
void draw_bar(Svg& svg, const Engine& engine, Point at, double width_of_percent) {
    double x = at.x;
    const auto add = [&](std::uint64_t time, std::string_view fill, const std::string& what) {
        const double width = engine.share(time) * width_of_percent;
        if (time > 0) {
            svg.rect({x, at.y + 3}, std::max(width, 0.5), kEngineRow - 6, fill,
                     fmt::format("{}: {}, {} ({})", engine.name, what, percent(engine, time),
                                 cli::figure(Picoseconds{static_cast<std::int64_t>(time)})));
        }
        x += width;
    };
    add(engine.busy, colour::kBlue, "busy");
    for (std::size_t i = 0; i < engine.waits.size(); ++i) {
        add(engine.waits[i].time, i % 2 == 0 ? colour::kRed : colour::kOrange, "waits for " + engine.waits[i].cause);
    }
}

// The axis of per cents below the bars, whose left end and width are given.
void draw_percent_axis(Svg& svg, Range x, double bottom, double most, std::size_t count) {
    const std::vector<double> ticks = round_ticks(0, most, count);
    for (const double tick : ticks) {
        const double at = x.low + tick / most * (x.high - x.low);
        svg.line({at, kEngineTop - 4}, {at, bottom + 4}, {colour::kGrid});
        svg.text({at, bottom + 16}, tick_text(tick, ticks.size() > 1 ? ticks[1] - ticks[0] : 1), {Anchor::middle});
    }
    svg.text({(x.low + x.high) / 2, bottom + 32}, "time [%]", {Anchor::middle, colour::kFaint});
}

std::string wide_svg(const std::vector<Engine>& engines, double most, const std::string& title) {
    const double names = room_for_names(engines);
    const double bottom = kEngineTop + kEngineRow * static_cast<double>(engines.size());
    const double right = kPictureWidth - kWords;
    Svg svg(kPictureWidth, bottom + 36, title);
    draw_legend(svg, names, "at the right");
    draw_percent_axis(svg, {names, right}, bottom, most, 8);
    double y = kEngineTop;
    for (const Engine& engine : engines) {
        svg.text({names - 8, y + 14}, cut_to(engine.name, names - 12), {Anchor::end});
        draw_bar(svg, engine, {names, y}, (right - names) / most);
        svg.text({right + 8, y + 14}, cut_to(words_of(engine), kWords - 10));
        y += kEngineRow;
    }
    return svg.take();
}

std::string narrow_svg(const std::vector<Engine>& engines, double most, const std::string& title) {
    double bottom = kEngineTop;
    for (const Engine& engine : engines) {
        bottom += kNarrowRow + (engine.waits.empty() ? 0 : kNarrowWords);
    }
    const double right = kNarrowWidth - kNarrowEdge;
    Svg svg(kNarrowWidth, bottom + 36, title);
    draw_legend(svg, kNarrowEdge, "below");
    draw_percent_axis(svg, {kNarrowEdge, right}, bottom, most, 5);
    double y = kEngineTop;
    for (const Engine& engine : engines) {
        const TextStyle over_lines{Anchor::start, colour::kText, false, true};
        svg.text({kNarrowEdge, y + 12}, cut_to(engine.name, right - kNarrowEdge), over_lines);
        draw_bar(svg, engine, {kNarrowEdge, y + 12}, (right - kNarrowEdge) / most);
        svg.text({kNarrowEdge, y + 40}, cut_to(words_of(engine), right - kNarrowEdge), over_lines);
        y += kNarrowRow + (engine.waits.empty() ? 0 : kNarrowWords);
    }
    return svg.take();
}

Figure figure_of(const std::vector<Engine>& engines) {
    double most = 1e-6;
    for (const Engine& engine : engines) {
        most = std::max(most, engine.share(engine.busy + engine.blocked));
    }
    const std::string title = "What each engine did, and what it waited for";
    return {"stall-bars", title, wide_svg(engines, most, title), {}, {}, narrow_svg(engines, most, title)};
}

}  // namespace

std::vector<EngineUse> recorded_engines(const inspect::RecordedRun& run) {
    std::vector<EngineUse> engines;
    for (const nlohmann::json& json : run.whole.at("engines")) {
        EngineUse& use = engines.emplace_back();
        use.engine = json.at("engine");
        use.idle = Picoseconds{json.at("idle_ps").get<std::int64_t>()};
        use.busy = Picoseconds{json.at("busy_ps").get<std::int64_t>()};
        for (const auto& [cause, time] : json.at("blocked_by_ps").items()) {
            use.blocked.emplace_back(cause, time.get<std::int64_t>());
        }
    }
    return engines;
}

std::string stall_chapter(const inspect::RecordedRun& run) {
    std::vector<Engine> engines = engines_of(run);
    if (engines.empty()) {
        return note("No engine did anything.");
    }
    const std::size_t all = engines.size();
    // A lane that is always full waits for nothing.
    const auto busiest =
        std::ranges::max_element(engines, {}, [](const Engine& engine) { return engine.share(engine.busy); });
    if (static_cast<std::size_t>(busiest - engines.begin()) >= kEngines) {
        std::swap(engines[kEngines - 1], *busiest);
    }
    engines.resize(std::min(all, kEngines));
    Figure figure = figure_of(engines);
    const EngineUse one = recorded_engines(run).front();
    figure.caption =
        fmt::format("In per cent of {}, over which the engines were watched. The engine that waited longest is first.",
                    cli::figure(one.idle + one.busy + one.blocked_in_all()));
    if (all > kEngines) {
        figure.caption +=
            fmt::format(" {} of {} engines: those that waited longest, and the one that worked most.", kEngines, all);
    }
    return html_of(figure);
}

}  // namespace ndsim::report
