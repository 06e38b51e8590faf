// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/forecast/drafts.hpp"

#include <nlohmann/json.hpp>

namespace ndsim::test {

namespace {

using Json = nlohmann::ordered_json;

const std::array<std::string, 2> kNames{"A", "B"};
constexpr std::array kApis{"ndk", "ndspi1", "ndspi2"};
constexpr std::array kOverflows{"by_profile", "terminate", "rnr", "credit"};
constexpr std::uint32_t kRoom = 4096;  // of every receive

// Hardware and software far slower than usual, at one place.
struct Slow {
    const char* part = "";
    const char* key = "";
    const char* value = "";
};
constexpr std::array<Slow, kSlows> kSlow{{{},
                                          {"cpu", "wqe_build", "3 us"},
                                          {"cpu", "mmio_uc", "3 us"},
                                          {"cpu", "poll_cq", "3 us"},
                                          {"cpu", "poll_detect", "3 us"},
                                          {"pcie", "one_way", "8 us"},
                                          {"root", "llc_read", "8 us"},
                                          {"root", "write_visible", "8 us"},
                                          {"nic", "rx_pipe", "50 us"},
                                          {"nic", "tx_pipe", "50 us"},
                                          {"nic", "doorbell_to_sched", "8 us"},
                                          {"nic", "read_response_sched", "50 us"},
                                          {"nic", "key_update", "50 us"},
                                          {"nic", "command_latency", "50 us"}}};

std::string bytes(std::uint32_t count) {
    return std::to_string(count) + " B";
}

// Writes both programs, side by side.
class Author {
public:
    explicit Author(const Draft& draft) : draft_(draft) {}

    Json write() {
        begin();
        for (const Exchange& exchange : draft_.exchanges) {
            add(exchange);
        }
        for (std::size_t side = 0; side < 2 && draft_.disconnects; ++side) {
            line(side, {{"disconnect", "q0"}});
        }
        for (const Slip& slip : draft_.slips) {
            spoil(slip);
        }
        Json json;
        json["profile"] = draft_.infiniband ? "infiniband" : "documented";
        for (std::size_t side = 0; side < 2; ++side) {
            json["hosts"][kNames[side]] = host(side);
            Json program = Json::array();
            for (Json& each : lines_[side]) {
                if (each.contains("post") || each.contains("disconnect")) {
                    each["as"] = "p" + std::to_string(program.size());
                }
                if (draft_.expects && each.value("post", "") == "send" && !each.contains("flags")) {
                    json["expect"].push_back(
                        {{"completion", kNames[side] + "." + each["as"].get<std::string>()}, {"status", "success"}});
                }
                program.push_back(each);
            }
            json["programs"][kNames[side]] = program;
        }
        json["limits"]["time"] = "100 s";
        return json;
    }

private:
    void line(std::size_t side, Json json) { lines_[side].push_back(std::move(json)); }
    [[nodiscard]] bool shares_receives(std::size_t side) const {
        return draft_.shares_receives[side] && draft_.apis[side] != 1;  // NDSPI 1 cannot
    }
    static std::string qp(const Exchange& exchange) { return "q" + std::to_string(exchange.line); }

    void begin() {
        for (std::size_t side = 0; side < 2; ++side) {
            for (std::size_t i = 0; i < kLines; ++i) {
                receives(side, static_cast<std::uint8_t>(i), draft_.ahead);
            }
            if (side == 0 || !draft_.connects) {
                line(side, {{"sleep", std::to_string(draft_.pause) + " us"}});
            }
            for (std::size_t i = 0; i < kLines && draft_.connects; ++i) {
                line(side, {{side == 0 ? "connect" : "accept", "q" + std::to_string(i)}});
            }
        }
    }
    void receives(std::size_t side, std::uint8_t number, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const bool shares = shares_receives(side);
            line(side, {{"post", shares ? "srq_receive" : "receive"},
                        {shares ? "srq" : "qp", shares ? "pool" : "q" + std::to_string(number)},
                        {"buffer", "rx"},
                        {"size", bytes(kRoom)}});
        }
        there_[side][number] += count;
    }

    void add(const Exchange& exchange) {
        switch (exchange.kind) {
            case ExchangeKind::messages:
                messages(exchange);
                break;
            case ExchangeKind::refill:
                refill(exchange);
                break;
            case ExchangeKind::write:
            case ExchangeKind::read:
                access(exchange);
                break;
            case ExchangeKind::window:
                window(exchange);
                break;
            case ExchangeKind::sleep:
                line(exchange.side, {{"sleep", std::to_string(exchange.size) + " ns"}});
                break;
        }
    }

    // As many as there are receives for; the sender polls one completion for each that is not silent.
    void messages(const Exchange& exchange) {
        const std::size_t peer = 1U - exchange.side;
        const std::uint32_t count = std::min<std::uint32_t>(exchange.count, there_[peer][exchange.line]);
        if (count == 0) {
            return;
        }
        there_[peer][exchange.line] -= count;
        if (exchange.by_event) {
            line(peer, {{"arm", qp(exchange) + ".receive"}});
        }
        for (std::uint32_t i = 1; i <= count; ++i) {
            Json post{{"post", "send"}, {"qp", qp(exchange)}, {"buffer", "tx"}, {"size", bytes(exchange.size)}};
            Json flags = Json::array();
            if (exchange.silent && i < count) {
                flags.push_back("silent_success");
            }
            if (exchange.defer && i < count && draft_.apis[exchange.side] == 0) {
                flags.push_back("defer");
            }
            if (!flags.empty()) {
                post["flags"] = flags;
            }
            line(exchange.side, post);
        }
        if (exchange.by_event) {
            line(peer, {{"wait", qp(exchange) + ".receive"}});
        }
        line(peer, {{"poll", qp(exchange) + ".receive"}, {"count", count}});
        line(exchange.side, {{"poll", qp(exchange) + ".send"}, {"count", exchange.silent ? 1 : count}});
    }

    // More receives, and word of them.
    void refill(const Exchange& exchange) {
        if (there_[1U - exchange.side][exchange.line] == 0) {
            return;
        }
        receives(exchange.side, exchange.line, exchange.count);
        Exchange word = exchange;
        word.count = 1;
        word.by_event = false;
        messages(word);
    }

    void access(const Exchange& exchange) {
        if (draft_.apis[0] == 1 || draft_.apis[1] == 1) {
            return;  // through windows only
        }
        const bool writes = exchange.kind == ExchangeKind::write;
        line(exchange.side, {{"post", writes ? "write" : "read"},
                             {"qp", qp(exchange)},
                             {"buffer", "tx"},
                             {"size", bytes(exchange.size)},
                             {writes ? "to" : "from", kNames[1U - exchange.side] + ".rx"}});
        line(exchange.side, {{"poll", qp(exchange) + ".send"}});
    }

    // The owner opens a window and says so; the peer writes through it, and closes it again.
    void window(const Exchange& exchange) {
        const std::size_t owner = exchange.side;
        const std::size_t peer = 1U - owner;
        if (there_[owner][exchange.line] == 0 || there_[peer][exchange.line] == 0 || draft_.apis[peer] == 2) {
            return;
        }
        const std::string memory = "w" + std::to_string(exchange.line);
        const std::string remote = kNames[owner] + "." + memory;
        line(owner, {{"post", "bind"},
                     {"qp", qp(exchange)},
                     {"memory", memory},
                     {"buffer", "rx"},
                     {"size", bytes(kRoom)},
                     {"allow", {"remote_write"}}});
        line(owner, {{"poll", qp(exchange) + ".send"}});
        Exchange word = exchange;
        word.count = 1;
        word.by_event = false;
        messages(word);
        line(peer, {{"post", "write"},
                    {"qp", qp(exchange)},
                    {"buffer", "tx"},
                    {"size", bytes(exchange.size)},
                    {"to", remote}});
        line(peer, {{"post", "send_and_invalidate"},
                    {"qp", qp(exchange)},
                    {"buffer", "tx"},
                    {"size", bytes(8)},
                    {"invalidates", remote}});
        line(peer, {{"poll", qp(exchange) + ".send"}, {"count", 2}});
        line(owner, {{"poll", qp(exchange) + ".receive"}, {"count", draft_.apis[owner] == 1 ? 2 : 1}});
        there_[owner][exchange.line] -= 1;
    }

    void spoil(const Slip& slip) {
        const std::size_t all = lines_[0].size() + lines_[1].size();
        std::size_t at = slip.where % all;
        std::vector<Json>& lines = lines_[at < lines_[0].size() ? 0 : 1];
        at -= &lines == &lines_[1] ? lines_[0].size() : 0;
        Json& json = lines[at];
        switch (slip.kind) {
            case SlipKind::none:
                break;
            case SlipKind::drop:
                if (lines.size() > 1) {
                    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
                }
                break;
            case SlipKind::repeat:
                lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), Json(json));
                break;
            case SlipKind::swap:
                if (at + 1 < lines.size()) {
                    std::swap(json, lines[at + 1]);
                }
                break;
            case SlipKind::resize:
                if (json.contains("size")) {
                    json["size"] = bytes(slip.where % 2 == 0 ? 9000 : 16);
                }
                break;
            case SlipKind::poll_more:
            case SlipKind::poll_less:
                if (json.contains("poll")) {
                    const int count = json.value("count", 1) + (slip.kind == SlipKind::poll_more ? 1 : -1);
                    json["count"] = std::max(1, count);
                }
                break;
            case SlipKind::flush:
                lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), Json{{"flush", "q0"}});
                break;
            case SlipKind::defer:
                if (json.value("post", "") == "send") {
                    json["flags"] = Json::array({"defer"});
                }
                break;
            case SlipKind::silence:
                if (json.value("post", "") == "send") {
                    json["flags"] = Json::array({"silent_success"});
                }
                break;
        }
    }

    [[nodiscard]] Json host(std::size_t side) const {
        Json host;
        host["api"] = kApis[draft_.apis[side]];
        host["nic"]["overflow"] = kOverflows[draft_.overflows[side]];
        host["nic"]["rnr_retry"] = draft_.rnr_retry;
        host["nic"]["connect_latency"] = std::to_string(draft_.pause) + " us";  // of connects in programs alone
        host["nic"]["cq"]["depth"] = draft_.cq_depths[side];
        if (const auto& [part, key, value] = kSlow.at(draft_.slow[side]); *value != 0) {
            host[part][key] = value;
        }
        for (const char* const name : {"tx", "rx"}) {
            host["buffers"][name] = {{"size", "16 KiB"}};
        }
        for (std::size_t i = 0; i < kLines; ++i) {
            const std::string number = std::to_string(i);
            host["memory"]["w" + number] = {{"kind", "window"}};
            Json& qp = host["qps"]["q" + number];
            qp["sq"]["depth"] = draft_.sq_depths[side];
            if (shares_receives(side)) {
                qp["srq"] = "pool";
            } else {
                qp["rq"]["depth"] = draft_.rq_depths[side];
            }
            if (draft_.shares_cq) {
                qp["send_cq"] = qp["receive_cq"] = "all";
            }
        }
        if (shares_receives(side)) {
            host["srqs"]["pool"] = {{"depth", draft_.rq_depths[side]}};
        }
        if (draft_.shares_cq) {
            host["cqs"]["all"] = {{"depth", draft_.cq_depths[side]}};
        }
        return host;
    }

    const Draft& draft_;
    std::array<std::vector<Json>, 2> lines_;
    std::array<std::array<std::uint32_t, kLines>, 2> there_{};  // receives of each side's queue pairs
};

}  // namespace

std::string text_of(const Draft& draft) {
    return Author(draft).write().dump(1) + "\n";
}

}  // namespace ndsim::test
