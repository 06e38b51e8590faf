// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/scenario_text.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace ndsim::reference {

namespace {

using Json = nlohmann::ordered_json;

// Longer than everything that an epoch's requests can take, and than what hosts may drift apart over all epochs.
constexpr const char* kRest = "2 s";
// Until late receives are posted: less than the peer's NIC has patience for.
constexpr const char* kLate = "500 us";

std::string bytes(std::uint64_t count) {
    return std::to_string(count) + " B";
}

std::string qp_name(std::size_t connection) {
    return "q" + std::to_string(connection);
}

class Writer {
public:
    Writer(const Program& program, const Prediction& prediction) : program_(program), prediction_(prediction) {
        for (const Epoch& epoch : program.epochs) {
            for (const Step& step : epoch) {
                used_.at(step.connection) = true;
                opens_.at(step.connection) =
                    opens_.at(step.connection) || step.target != Target::memory || step.into_region;
            }
        }
        used_[0] = true;
    }

    Json write(const std::string& about) {
        Json json;
        json["about"] = about;
        json["profile"] = program_.infiniband ? "infiniband" : "documented";
        for (std::size_t side = 0; side < kSides; ++side) {
            json["hosts"][name_of(side)] = host(side);
        }
        for (std::size_t side = 0; side < kSides; ++side) {
            json["programs"][name_of(side)] = steps(side);
        }
        json["expect"] = expectations();
        json["limits"]["time"] = "1000 s";
        json["outputs"]["completions"] = true;
        return json;
    }

private:
    [[nodiscard]] Json host(std::size_t side) const {
        Json host;
        for (const auto& [path, value] : program_.hardware) {
            host[Json::json_pointer(path)] = Json::parse(value);
        }
        host["buffers"]["mem"] = {{"size", bytes(memory_at(side) + kMemory)}, {"fill", "counter"}};
        for (std::size_t i = 0; i < kConnections; ++i) {
            if (opens_[i]) {
                host["memory"]["w" + std::to_string(i)]["kind"] = "window";
                host["memory"]["f" + std::to_string(i)]["kind"] = "fast_register";
            }
        }
        for (std::size_t i = 0; i < kSharedCqs; ++i) {
            host["cqs"]["shared" + std::to_string(i + 1)]["depth"] = program_.shared_depths[side][i];
        }
        host["srqs"][kSrqName]["depth"] = program_.srq_depths[side];
        for (std::size_t i = 0; i < kConnections; ++i) {
            if (!used_[i]) {
                continue;
            }
            const Endpoint& end = program_.endpoints[side][i];
            Json& qp = host["qps"][qp_name(i)];
            qp["sq"]["depth"] = end.sq_depth;
            if (end.srq) {
                qp["srq"] = kSrqName;
            } else {
                qp["rq"]["depth"] = end.rq_depth;
            }
            qp["inline_max"] = kInlineMax;
            if (end.send_cq != 0) {
                qp["send_cq"] = cq_name(program_, side, i, false);
            }
            if (end.receive_cq != 0) {
                qp["receive_cq"] = cq_name(program_, side, i, true);
            }
        }
        return host;
    }

    [[nodiscard]] Json steps(std::size_t side) {
        Json list = Json::array();
        std::size_t request = 0;
        for (std::size_t epoch = 0; epoch < program_.epochs.size(); ++epoch) {
            epoch_steps(side, epoch, request, list);
        }
        return list;
    }

    void epoch_steps(std::size_t side, std::size_t number, std::size_t& request, Json& list) const {
        const Epoch& epoch = program_.epochs[number];
        Rests rests;
        for (const std::size_t index : order_of(program_, epoch)) {
            const Step& step = epoch[index];
            if (is_at_rest(step)) {
                continue;
            }
            rests.before(program_, step, list);
            if (!prediction_.done[number][index]) {
                continue;
            }
            if (step.what == What::disconnect) {
                list.push_back({{"disconnect", qp_name(step.connection)}});
                continue;
            }
            if (step.side == side) {
                list.push_back(step.is_setting()         ? setting(step)
                               : step.what == What::poll ? Json{{"poll", cq_of(step)}}
                                                         : post(step, prediction_.requests[request].label));
            }
            request += step.is_setting() || step.what == What::poll ? 0 : 1;
        }
        list.push_back({{"sleep", kRest}});
        bool disconnects = false;
        for (std::size_t index = 0; index < epoch.size(); ++index) {
            if (epoch[index].what == What::disconnect && !epoch[index].hasty && prediction_.done[number][index]) {
                list.push_back({{"disconnect", qp_name(epoch[index].connection)}});
                disconnects = true;
            }
        }
        if (disconnects) {
            list.push_back({{"sleep", kRest}});
        }
        finish_epoch(side, number, list);
    }

    // What a host does when all is at rest.
    void finish_epoch(std::size_t side, std::size_t number, Json& list) const {
        const Epoch& epoch = program_.epochs[number];
        for (std::size_t index = 0; index < epoch.size(); ++index) {
            const Step& step = epoch[index];
            if (step.is_setting() && is_at_rest(step) && step.side == side && prediction_.done[number][index]) {
                list.push_back(setting(step));
            }
        }
        const Polls& polls = prediction_.polls[number][side];
        for (const std::string& name : polls.waits) {
            list.push_back({{"wait", name}});
        }
        for (const auto& [name, count] : polls.counts) {
            if (count > 0) {
                list.push_back({{"poll", name}, {"count", count}});
            }
        }
    }

    [[nodiscard]] static bool is_at_rest(const Step& step) {
        return step.what == What::disconnect ? !step.hasty : step.is_setting() && step.phase == Phase::rest;
    }

    // Both hosts wait at the same places of an epoch.
    struct Rests {
        bool settings = false;
        bool receives = false;
        bool late = false;

        void before(const Program& program, const Step& step, Json& list) {
            const bool sets = step.is_setting() && step.phase == Phase::start;
            const bool is_receive = step.what == What::receive && !is_late(program, step);
            if (!sets && std::exchange(settings, false)) {
                list.push_back({{"sleep", kRest}});
            }
            settings = settings || sets;
            if (!sets && !is_receive && !std::exchange(receives, true)) {
                list.push_back({{"sleep", kRest}});
            }
            if (is_late(program, step) && !std::exchange(late, true)) {
                list.push_back({{"sleep", kLate}});
            }
        }
    };

    [[nodiscard]] std::string cq_of(const Step& step) const {
        return cq_name(program_, step.side, step.connection, step.of_receives);
    }

    [[nodiscard]] Json setting(const Step& step) const {
        if (step.what == What::arm) {
            static constexpr std::array kWishes{"errors", "errors", "solicited", "any"};
            return {{"arm", cq_of(step)}, {"for", kWishes.at(static_cast<std::size_t>(step.wish))}};
        }
        if (step.what == What::resize) {
            return {{"resize", cq_of(step)}, {"depth", step.depth}};
        }
        if (step.what == What::modify_srq) {
            return {{"modify_srq", kSrqName}, {"depth", step.depth}, {"threshold", step.threshold}};
        }
        Json json{{"moderate", cq_of(step)}};
        if (step.interval > 0) {
            json["interval"] = std::to_string(step.interval) + " us";
            json["count"] = step.count;
        }
        return json;
    }

    [[nodiscard]] static std::string object_name(const Step& step) {
        return step.target == Target::memory
                   ? "mem"
                   : (step.target == Target::window ? "w" : "f") + std::to_string(step.connection);
    }

    [[nodiscard]] static std::string post_name(const Step& step) {
        switch (step.what) {
            case What::write:
                return "write";
            case What::read:
                return "read";
            case What::send_and_invalidate:
                return "send_and_invalidate";
            case What::open:
                return step.target == Target::window ? "bind" : "fast_register";
            case What::invalidate:
                return "invalidate";
            case What::receive:
                return "receive";
            default:
                return "send";
        }
    }

    [[nodiscard]] Json post(const Step& step, const std::string& label) const {
        Json json;
        if (step.what == What::receive && has_srq(program_, step)) {
            json["post"] = "srq_receive";
            json["srq"] = kSrqName;
        } else {
            json["post"] = post_name(step);
            json["qp"] = qp_name(step.connection);
        }
        const auto piece = [&](const Span& span, Json& to) {
            to["buffer"] = step.into_region ? "f" + std::to_string(step.connection) : "mem";
            to["offset"] = bytes((step.into_region ? 0 : memory_at(step.side)) + span.offset);
            to["size"] = bytes(span.size);
        };
        if (step.pieces.size() == 1) {
            piece(step.pieces[0], json);
        }
        for (std::size_t i = 0; step.pieces.size() > 1 && i < step.pieces.size(); ++i) {
            piece(step.pieces[i], json["sgl"].emplace_back());
        }
        const std::size_t peer = 1U - step.side;
        const std::string remote = name_of(peer) + "." + object_name(step);
        if (step.what == What::write || step.what == What::read) {
            const std::string key = step.what == What::write ? "to" : "from";
            json[key] = remote;
            json[key + "_offset"] = bytes((step.target == Target::memory ? memory_at(peer) : 0) + step.to);
        } else if (step.what == What::send_and_invalidate) {
            json["invalidates"] = remote;
        } else if (step.is_local()) {
            json["memory"] = object_name(step);
        }
        if (step.what == What::open) {
            json["allow"] = Json::array();
            if (step.remote_read) {
                json["allow"].push_back("remote_read");
            }
            if (step.remote_write) {
                json["allow"].push_back("remote_write");
            }
            if (step.local_write) {
                json["allow"].push_back("local_write");
            }
        }
        if (step.what != What::receive) {
            Json flags = Json::array();
            const auto flag = [&](bool set, const char* name) {
                if (set) {
                    flags.push_back(name);
                }
            };
            flag(step.silent, "silent_success");
            flag(step.fence, "read_fence");
            flag(step.solicit && step.is_send(), "solicit");
            flag(step.inlined, "inline");
            flag(step.defer, "defer");
            flag(step.kills_sink, "local_invalidate");
            if (!flags.empty()) {
                json["flags"] = flags;
            }
        }
        json["as"] = label;
        return json;
    }

    [[nodiscard]] Json expectations() const {
        Json list = Json::array();
        for (const Request& request : prediction_.requests) {
            Json json;
            json["completion"] = name_of(request.side) + "." + request.label;
            if (request.fates == kSucceeds && !request.silent) {
                json["status"] = "success";
                if (request.receive && !request.by_chance) {
                    json["bytes"] = request.bytes;
                }
            } else if (request.fates == kCancelled) {
                json["status"] = "cancelled";
            } else if (request.fates == kFails || request.fates == kRefused) {
                json["status"] = request.failure;
            } else if (request.fates == kPending) {
                json["completes"] = false;
            } else {
                continue;
            }
            list.push_back(json);
        }
        return list;
    }

    const Program& program_;
    const Prediction& prediction_;
    std::array<bool, kConnections> used_{};
    std::array<bool, kConnections> opens_{};
};

}  // namespace

std::string scenario_text(const Program& program, const Prediction& prediction, const std::string& about) {
    return Writer(program, prediction).write(about).dump(1) + "\n";
}

}  // namespace ndsim::reference
