// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/story.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/histogram.hpp"

namespace ndsim::inspect {

namespace {

using Json = nlohmann::ordered_json;

std::string before_dot(const std::string& name) {
    return name.substr(0, name.find('.'));
}

std::string behind_dot(const std::string& name) {
    return name.substr(name.find('.') + 1);
}

// The other end of a queue pair: one of the two names the other in its "connect".
std::string peer_of(const RecordedRun& run, const std::string& qp) {
    const std::string own = "hosts." + before_dot(qp) + ".qps." + behind_dot(qp) + ".connect";
    if (const auto peer = run.setting(own)) {
        return *peer;
    }
    for (const auto& [number, name] : run.queue_pairs) {
        const auto peer = run.setting("hosts." + before_dot(name) + ".qps." + behind_dot(name) + ".connect");
        if (peer == qp) {
            return name;
        }
    }
    return "";
}

// With two hosts, the other one is the peer of any queue pair.
std::string other_host(const RecordedRun& run, const std::string& host) {
    std::set<std::string> others;
    for (const auto& [path, setting] : run.settings) {
        if (path.starts_with("hosts.")) {
            others.insert(before_dot(path.substr(std::string_view("hosts.").size())));
        }
    }
    others.erase(host);
    return others.size() == 1 ? *others.begin() : "the peer";
}

std::string queue_of(const RecordedRun& run, const Story& story) {
    const Completion& row = story.chosen.row;
    const bool receives = row.operation == "receive";
    if (story.qp.empty()) {
        return fmt::format("the {} queue of {} on {}", receives ? "receive" : "send", row.qp, row.host());
    }
    const nlohmann::json::json_pointer srq("/scenario/written/hosts/" + row.host() + "/qps/" + behind_dot(story.qp) +
                                           "/srq");
    if (receives && run.whole.contains(srq)) {
        return row.host() + ".srqs." + run.whole.at(srq).get<std::string>();
    }
    return row.host() + ".qps." + behind_dot(story.qp) + (receives ? ".rq" : ".sq");
}

std::uint64_t ppm(Picoseconds part, Picoseconds whole) {
    const auto count = static_cast<std::uint64_t>(whole.count());
    return count == 0 ? 0
                      : static_cast<std::uint64_t>(
                            (WideSum{static_cast<std::uint64_t>(part.count())} * 1'000'000 + count / 2) / count);
}

Json path_json(const Story& story) {
    const Completion& row = story.chosen.row;
    Json path = Json::array();
    Picoseconds begun = row.begun;
    for (const Stay& stay : story.stays) {
        path.push_back({{"account", account_names()[static_cast<std::size_t>(stay.account)]},
                        {"begin_ps", begun.count()},
                        {"end_ps", stay.until.count()},
                        {"took_ps", (stay.until - begun).count()},
                        {"share_ppm", ppm(stay.until - begun, row.total())},
                        {"what", account_words(stay.account, row.operation, story.places)}});
        begun = stay.until;
    }
    return path;
}

Json mean_json(const Story& story) {
    if (story.mean == nullptr) {
        return nullptr;
    }
    Json accounts = Json::object();
    for (const auto& [account, time] : story.mean->accounts) {
        accounts[account] = time.count();
    }
    return {{"requests", story.mean->requests},
            {"total_ps", story.mean->mean_total.count()},
            {"accounts_ps", std::move(accounts)}};
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

}  // namespace

Story story_of(const RecordedRun& run, Choice chosen) {
    Story story{run.folder, std::move(chosen), "", "", {}, {}, nullptr};
    const Completion& row = story.chosen.row;
    story.qp = run.queue_pair(row.host(), row.qp).value_or("");
    story.peer = story.qp.empty() ? "" : peer_of(run, story.qp);
    story.places = {row.host(), story.peer.empty() ? other_host(run, row.host()) : before_dot(story.peer),
                    queue_of(run, story)};
    story.stays = stays_of(row);
    story.mean = run.ledger(row.host(), row.operation);
    return story;
}

std::string request_words(const Completion& row, const std::string& qp) {
    return fmt::format("{} {} on {}{}", row.operation, row.request,
                       qp.empty() ? "queue pair " + row.qp : qp + " (" + row.qp + ")",
                       row.label.empty() ? "" : ", called " + row.label);
}

Json story_json(const Story& story) {
    const Completion& row = story.chosen.row;
    return {{"folder", story.folder},
            {"request", row.request},
            {"label", text_or_null(row.label)},
            {"chosen_as", text_or_null(story.chosen.how)},
            {"operation", row.operation},
            {"queue_pair", text_or_null(story.qp)},
            {"peer", text_or_null(story.peer)},
            {"qp", row.qp},
            {"status", row.status},
            {"bytes", row.bytes},
            {"silent", row.silent},
            {"begin_ps", row.begun.count()},
            {"end_ps", row.ended.count()},
            {"total_ps", row.total().count()},
            {"path", path_json(story)},
            {"mean", mean_json(story)}};
}

}  // namespace ndsim::inspect
