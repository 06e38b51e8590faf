// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/forecast_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace ndsim::cli {

namespace {

using Json = nlohmann::ordered_json;

// file:line:column: path, as far as known.
std::string place_of(const std::string& file, Position at, const std::string& path) {
    return Problem{file, at.line, at.column, path, {}, {}}.text();
}

Json place_json(const std::string& file, Position at, const std::string& path) {
    Json json{{"file", file}};
    if (at.line != 0) {
        json["line"] = at.line;
        json["column"] = at.column;
    }
    json["path"] = path;
    return json;
}

// The place; below it certainty, affected points, the finding, and advice.
std::string lines_of(const Foreseen& one, const std::string& which, const std::string& file, const Paint& paint) {
    const bool is_certain = one.certainty == Certainty::will;
    std::string text =
        fmt::format("  {}  {}{}\n{}        {}\n", is_certain ? paint.bad("will") : paint.strong("may "),
                    place_of(file, one.at, one.path), one.queue.empty() ? "" : ", " + one.queue, which, one.what);
    if (!one.advice.empty()) {
        text += fmt::format("        {}\n", paint.faint("advice: " + one.advice));
    }
    return text;
}

Json foreseen_json(const Foreseen& one, const std::string& file) {
    Json json{{"certainty", kCertaintyNames.at(static_cast<std::size_t>(one.certainty))},
              {"kind", kForeseenKindNames.at(static_cast<std::size_t>(one.kind))}};
    json.update(place_json(file, one.at, one.path));
    if (!one.queue.empty()) {
        json["queue"] = one.queue;
    }
    if (!one.request.empty()) {
        json["request"] = one.request;
    }
    json["what"] = one.what;
    json["status"] = one.statuses;
    json["advice"] = one.advice;
    return json;
}

}  // namespace

std::string text_of(const std::vector<Hint>& hints, const std::string& file, const Paint& paint) {
    std::string text = hints.empty() ? std::string() : "\n" + paint.strong("Hints") + "\n";
    for (const Hint& hint : hints) {
        text += fmt::format("  {}\n        {}\n", place_of(file, hint.at, hint.path), hint.what);
    }
    return text;
}

Json to_json(const std::vector<Hint>& hints, const std::string& file) {
    Json list = Json::array();
    for (const Hint& hint : hints) {
        Json json = place_json(file, hint.at, hint.path);
        json["what"] = hint.what;
        list.push_back(std::move(json));
    }
    return list;
}

std::string text_of(const Forecast& forecast, const std::string& file, const Paint& paint) {
    if (forecast.foreseen.empty() && forecast.not_followed.empty()) {
        return {};
    }
    std::string text = "\n" + paint.strong("Foreseen") + "\n";
    for (const Foreseen& one : forecast.foreseen) {
        text += lines_of(one, {}, file, paint);
    }
    if (forecast.foreseen.empty()) {
        text += "  nothing\n";
    }
    for (const NotFollowed& one : forecast.not_followed) {
        text += fmt::format("  not followed: {}: {}\n", place_of(file, one.at, one.path), one.why);
    }
    return text;
}

std::string text_of(const SweepForecast& sweep, const std::string& file, const Paint& paint) {
    if (sweep.points == 0) {
        return {};
    }
    std::string text = "\n" + paint.strong("Also foreseen in the sweep") + "\n";
    for (const ForeseenAtPoints& one : sweep.foreseen) {
        text += lines_of(one.foreseen,
                         fmt::format("        at {} of {} points, first --set {}\n", one.points, sweep.checked,
                                     fmt::join(one.overrides, " --set ")),
                         file, paint);
    }
    if (sweep.foreseen.empty()) {
        text += fmt::format("  nothing at {} points\n", sweep.checked);
    }
    if (sweep.checked < sweep.points) {
        text += fmt::format("  not followed: the other {} points\n", sweep.points - sweep.checked);
    }
    return text;
}

void add_json(Json& result, const Forecast& forecast, const std::string& file) {
    Json foreseen = Json::array();
    for (const Foreseen& one : forecast.foreseen) {
        foreseen.push_back(foreseen_json(one, file));
    }
    Json not_followed = Json::array();
    for (const NotFollowed& one : forecast.not_followed) {
        Json json = place_json(file, one.at, one.path);
        json["why"] = one.why;
        not_followed.push_back(std::move(json));
    }
    result["foreseen"] = std::move(foreseen);
    result["not_followed"] = std::move(not_followed);
}

void add_json(Json& result, const SweepForecast& sweep, const std::string& file) {
    if (sweep.points == 0) {
        return;
    }
    Json foreseen = Json::array();
    for (const ForeseenAtPoints& one : sweep.foreseen) {
        Json json = foreseen_json(one.foreseen, file);
        json["points"] = one.points;
        json["first"] = one.overrides;
        foreseen.push_back(std::move(json));
    }
    result["sweep"] = {{"points", sweep.points}, {"checked", sweep.checked}, {"foreseen", std::move(foreseen)}};
}

}  // namespace ndsim::cli
