// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/scenario_text.hpp"

#include "tests/reference/scenario_steps.hpp"

namespace ndsim::reference {

namespace {

// Longer than everything that an epoch's requests can take, and than what hosts may drift apart over all epochs.
constexpr const char* kRest = "2 s";
// Until late receives are posted: less than the peer's NIC has patience for.
constexpr const char* kLate = "500 us";

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
                list.push_back(step.is_setting() || step.what == What::poll
                                   ? step_json(program_, step)
                                   : post_json(program_, step, prediction_.requests[request].label));
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
                list.push_back(step_json(program_, step));
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
