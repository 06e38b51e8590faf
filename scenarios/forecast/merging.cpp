// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/merging.hpp"

#include <algorithm>

namespace ndsim::forecast {

namespace {

using Key = std::pair<ForeseenKind, std::string>;

Key key_of(const Sighting& one) {
    return {one.said.kind, one.thing};
}

// A thing, and its sightings: at most one of each run.
struct Thing {
    std::vector<const Sighting*> sightings;
    bool is_root = false;  // in some run nothing came before it that other runs have not shown
};
using Things = std::map<Key, Thing>;

Things things_in(const std::vector<Story>& stories) {
    Things things;
    for (const Story& story : stories) {
        for (const Sighting& one : story.sightings) {
            things[key_of(one)].sightings.push_back(&one);
        }
    }
    return things;
}

bool are_alike(const Thing& thing) {
    const Sighting& first = *thing.sightings.front();
    return std::ranges::all_of(thing.sightings, [&](const Sighting* each) {
        return each->said.statuses == first.said.statuses && each->subject == first.subject;
    });
}

bool is_certain(const Thing& thing, std::size_t runs) {
    return thing.sightings.size() == runs && are_alike(thing);
}

// If timing decides about something, it also decides about all that follows from that, which is not told: all that
// comes later on the hosts that connections join. But the first story is that of the scenario's own timing, so what
// stalls there is told in any case, and what it does not meet. Slow hosts alone may break an expectation that rests on
// the timing: that is no finding.
void find_roots(Things& things, const std::vector<Story>& stories) {
    for (const Story& story : stories) {
        std::map<std::size_t, Picoseconds> earliest;  // of each island
        for (const Sighting& one : story.sightings) {
            if (!is_certain(things.at(key_of(one)), stories.size())) {
                Picoseconds& first = earliest.try_emplace(one.island, one.at).first->second;
                first = std::min(first, one.at);
            }
        }
        for (const Sighting& one : story.sightings) {
            Thing& thing = things.at(key_of(one));
            const bool own = &story == &stories.front();
            const bool own_run_ends_so =
                own && (one.said.kind == ForeseenKind::never_ends || one.said.kind == ForeseenKind::unmet);
            const bool certain = is_certain(thing, stories.size());
            const bool comes_first =
                !certain && one.at == earliest.at(one.island) && one.said.kind != ForeseenKind::unmet;
            thing.is_root = thing.is_root || own_run_ends_so || certain || comes_first;
        }
    }
}

// The sighting of the run that comes first, with the statuses of all.
Foreseen said_of(const Thing& thing, Certainty certainty) {
    const Sighting& first = *thing.sightings.front();
    Foreseen said = first.said;
    said.certainty = certainty;
    said.what = first.subject + " " + std::string(kCertaintyNames.at(static_cast<std::size_t>(certainty))) + " " +
                first.verb + (first.why.empty() ? "" : ": " + first.why);
    for (const Sighting* const other : thing.sightings) {
        for (const std::string& status : other->said.statuses) {
            if (other->subject == first.subject && std::ranges::count(said.statuses, status) == 0) {
                said.statuses.push_back(status);
                said.what += "; or, with another timing, " + other->verb;
            }
        }
    }
    return said;
}

void add_room(Foreseen& said, const std::string& cq, const std::map<std::string, std::uint64_t>& room) {
    const auto needed = room.find(cq);
    if (said.kind == ForeseenKind::overruns && needed != room.end()) {
        said.advice += " to " + std::to_string(needed->second);
    }
}

SureEnd sure_end(const std::vector<Story>& stories) {
    const auto all = [&](auto&& is_so) {
        return std::ranges::all_of(stories, [&](const Story& story) { return story.cut.empty() && is_so(story.end); });
    };
    if (all([&](SureEnd end) { return end == stories.front().end; })) {
        return stories.front().end;
    }
    const bool fail = all([](SureEnd end) { return end == SureEnd::unmet || end == SureEnd::broken; });
    return fail ? SureEnd::unmet_or_broken : SureEnd::unknown;
}

}  // namespace

Forecast merged(const std::vector<Story>& stories, const std::map<std::string, std::uint64_t>& room,
                bool ends_at_limit) {
    Things things = things_in(stories);
    find_roots(things, stories);
    Forecast forecast;
    for (const auto& [key, thing] : things) {
        const bool may_come = !ends_at_limit || key.first == ForeseenKind::never_ends;
        if (thing.is_root) {
            const bool will = is_certain(thing, stories.size()) && may_come;
            Foreseen said = said_of(thing, will ? Certainty::will : Certainty::may);
            add_room(said, key.second, room);
            forecast.foreseen.push_back(std::move(said));
        }
    }
    const auto cut = std::ranges::find_if(stories, [](const Story& story) { return !story.cut.empty(); });
    if (cut != stories.end()) {
        forecast.not_followed.push_back({{}, "programs", cut->cut});
    }
    forecast.end = sure_end(stories);
    return forecast;
}

}  // namespace ndsim::forecast
