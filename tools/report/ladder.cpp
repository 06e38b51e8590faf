// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/cli/figures.hpp"
#include "tools/inspect/completions_file.hpp"
#include "tools/report/html.hpp"

namespace ndsim::report {

namespace {

constexpr std::size_t kBefore = 4;  // of the shown messages, one in kBefore precedes the notable thing

std::set<std::string> hosts_of(const inspect::RecordedRun& run) {
    constexpr std::string_view kHosts = "hosts.";
    std::set<std::string> hosts;
    for (const auto& [path, setting] : run.settings) {
        if (path.starts_with(kHosts)) {
            hosts.insert(path.substr(kHosts.size(), path.find('.', kHosts.size()) - kHosts.size()));
        }
    }
    return hosts;
}

// Requests that ended while the messages were under way.
std::vector<LadderEnd> ends_between(const inspect::RecordedRun& run, Picoseconds from, Picoseconds until) {
    std::vector<LadderEnd> ends;
    if (!run.has_completions()) {
        return ends;
    }
    inspect::CompletionsFile file(run.completions(), run.completion_count());
    inspect::Completion row;
    while (file.next(row)) {
        if (row.ended >= from && row.ended <= until) {
            const std::string label = row.label.empty() ? "" : " (" + row.label + ")";
            ends.push_back({row.host(), row.operation + " " + row.request + label,
                            row.label.empty() ? row.request : row.label, row.status, row.ended});
        }
    }
    std::ranges::stable_sort(ends, {}, &LadderEnd::at);
    return ends;
}

// The time of the first notable thing.
std::optional<Picoseconds> first_notable(const std::vector<LadderMessage>& messages,
                                         const std::vector<LadderHold>& holds) {
    std::optional<Picoseconds> first;
    const auto notable = std::ranges::find_if(messages, &LadderMessage::is_notable);
    if (notable != messages.end()) {
        first = notable->begin;
    }
    for (const LadderHold& hold : holds) {
        first = first ? std::min(*first, hold.begin) : hold.begin;
    }
    return first;
}

std::string caption_of(const std::vector<LadderMessage>& messages, const LadderPart& part) {
    std::string text = part.last - part.first == messages.size()
                           ? fmt::format("All {} messages and acknowledgements.", messages.size())
                           : fmt::format(
                                 "Messages and acknowledgements {} to {} of {}; --messages and --from of ndsim "
                                 "report show others.",
                                 part.first + 1, part.last, messages.size());
    return text +
           " Time goes down, and is in the column at the left. The order of what happens is exact; distances are not "
           "to scale: where nothing happens for long the picture is shortened, and says by how much. A band is a "
           "message "
           "of several packets, from its first to its last. An arrow ends when the last byte has arrived; what needs "
           "only the headers, such as a NAK, may leave before. The pointer shows exact times.";
}

}  // namespace

void Ladder::take(const TimelineEvent& event) {
    if (event.kind == TimelineKind::packet) {
        take_packet(event);
    } else if (event.end > event.begin && event.begin >= start_) {
        holds_.push_back(
            {event.track.substr(0, event.track.find('.')), event.name, event.request, event.begin, event.end});
    }
}

void Ladder::take_packet(const TimelineEvent& event) {
    constexpr std::string_view kFlight = ".flight";
    const nlohmann::json& arguments = event.arguments;
    const std::size_t to = event.track.rfind("_to_");
    if (to == std::string::npos || arguments.value("copy", false)) {
        return;  // not on a cable, or the second copy of a packet
    }
    const std::string name = arguments.at("packet");
    const std::size_t flight = event.track.find(kFlight, to);
    const auto place = places_.find(name);
    if (flight != std::string::npos) {
        if (place != places_.end()) {
            packets_[place->second].to = event.track.substr(to + 4, flight - to - 4);
            packets_[place->second].end = event.end;
        }
    } else if (place != places_.end()) {  // the next cable on its way
        LadderPacket& packet = packets_[place->second];
        packet.lost = packet.lost || arguments.value("lost", false);
    } else if (event.begin >= start_) {
        places_[name] = packets_.size();
        packets_.push_back({event.name,
                            arguments.value("says", ""),
                            name.substr(name.find(" of ") + 4),
                            {},
                            arguments.value("request", ""),
                            arguments.value("qp", "") + " " + arguments.value("to_qp", ""),
                            arguments.value("psn", std::uint64_t{0}),
                            arguments.value("bytes", std::uint64_t{0}),
                            event.begin,
                            event.end,
                            arguments.value("lost", false),
                            arguments.value("invalidates", "")});
    }
}

LadderPart choose(const std::vector<LadderMessage>& messages, const std::vector<LadderHold>& holds,
                  const LadderChoice& choice) {
    const std::size_t all = messages.size();
    const auto from = [&](Picoseconds time) {
        const auto found = std::ranges::lower_bound(messages, time, {}, &LadderMessage::begin);
        return static_cast<std::size_t>(found - messages.begin());
    };
    std::size_t first = 0;
    if (choice.from) {
        first = from(*choice.from);
    } else if (const auto time = first_notable(messages, holds)) {
        const std::size_t notable = from(*time);
        if (notable + choice.messages / kBefore >= choice.messages) {
            first = std::min(notable - choice.messages / kBefore, all - std::min(all, choice.messages));
        }
    }
    return {first, std::min(all, first + choice.messages)};
}

std::string ladder_html(const Ladder& ladder, const inspect::RecordedRun& run, const LadderChoice& choice) {
    const std::vector<LadderMessage> messages = messages_of(ladder.packets(), hosts_of(run));
    const LadderPart part = choose(messages, ladder.holds(), choice);
    if (part.first == part.last) {
        return note("The timeline has no packets between hosts from there on.");
    }
    const std::vector<LadderMessage> shown(messages.begin() + static_cast<std::ptrdiff_t>(part.first),
                                           messages.begin() + static_cast<std::ptrdiff_t>(part.last));
    const Picoseconds from = shown.front().begin;
    // The last shown message ends with its completions, up to the next message.
    const Picoseconds until = part.last < messages.size() ? messages[part.last].begin : Picoseconds::max();
    std::vector<LadderHold> holds;
    std::ranges::copy_if(ladder.holds(), std::back_inserter(holds),
                         [&](const LadderHold& hold) { return hold.end >= from && hold.begin <= shown.back().end; });
    const std::vector<LadderEnd> ends = ends_between(run, from, until);
    return html_of(Figure{"ladder",
                          "Messages between the hosts",
                          ladder_svg(shown, holds, ends, LadderScreen::wide),
                          caption_of(messages, part),
                          {},
                          ladder_svg(shown, holds, ends, LadderScreen::narrow)});
}

}  // namespace ndsim::report
