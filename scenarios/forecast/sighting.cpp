// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/sighting.hpp"

#include <nlohmann/json.hpp>
#include <tuple>

namespace ndsim::forecast {

namespace {

using Json = nlohmann::json;

// All members, for the way in and out.
auto parts_of(auto& one) {
    auto& said = one.said;
    return std::tie(said.kind, said.at.line, said.at.column, said.path, said.queue, said.request, said.statuses,
                    said.advice, one.subject, one.verb, one.why, one.thing, one.island);
}

template <class... Parts>
void take(std::tuple<Parts&...> parts, const Json& json) {
    parts = json.get<std::tuple<Parts...>>();
}

}  // namespace

std::string text_of(const Story& story) {
    Json sightings = Json::array();
    for (const Sighting& one : story.sightings) {
        sightings.push_back({parts_of(one), one.at.count()});
    }
    return Json{sightings, story.end, story.cut, story.items, story.peaks, story.ended.count()}.dump();
}

Story story_in(const std::string& text) {
    const Json json = Json::parse(text);
    Story story;
    for (const Json& one : json[0]) {
        Sighting& sighting = story.sightings.emplace_back();
        take(parts_of(sighting), one[0]);
        sighting.at = Picoseconds{one[1].get<std::int64_t>()};
    }
    story.end = json[1];
    story.cut = json[2];
    story.items = json[3];
    story.peaks = json[4].get<std::map<std::string, std::uint64_t>>();
    story.ended = Picoseconds{json[5].get<std::int64_t>()};
    return story;
}

}  // namespace ndsim::forecast
