// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/scenario_text.hpp"

#include <nlohmann/json.hpp>

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
                opens_.at(step.connection) = opens_.at(step.connection) || step.target != Target::memory;
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
        for (std::size_t i = 0; i < kConnections; ++i) {
            if (!used_[i]) {
                continue;
            }
            const Endpoint& end = program_.endpoints[side][i];
            Json& qp = host["qps"][qp_name(i)];
            qp["sq"]["depth"] = end.sq_depth;
            qp["rq"]["depth"] = end.rq_depth;
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
        bool posted_receives = false;
        bool waited_for_late = false;
        bool at_rest = false;
        for (const std::size_t index : order_of(program_, epoch)) {
            const Step& step = epoch[index];
            if (step.what == What::disconnect && !step.hasty) {
                continue;
            }
            const bool late = is_late(program_, epoch, step);
            if ((step.what != What::receive || late) && !std::exchange(posted_receives, true)) {
                list.push_back({{"sleep", kRest}});
            }
            if (late && !std::exchange(waited_for_late, true)) {
                list.push_back({{"sleep", kLate}});
            }
            if (!prediction_.done[number][index]) {
                continue;
            }
            if (step.what == What::disconnect) {
                list.push_back({{"disconnect", qp_name(step.connection)}});
            } else if (step.what == What::poll) {
                if (step.side == side) {
                    list.push_back({{"poll", cq_name(program_, side, step.connection, false)}});
                }
            } else {
                if (step.side == side) {
                    list.push_back(post(step, prediction_.requests[request].label));
                }
                ++request;
            }
        }
        for (std::size_t index = 0; index < epoch.size(); ++index) {
            const Step& step = epoch[index];
            if (step.what == What::disconnect && !step.hasty && prediction_.done[number][index]) {
                if (!std::exchange(at_rest, true)) {
                    list.push_back({{"sleep", kRest}});
                }
                list.push_back({{"disconnect", qp_name(step.connection)}});
            }
        }
        list.push_back({{"sleep", kRest}});
        for (const auto& [name, count] : prediction_.polls[number][side].counts) {
            if (count > 0) {
                list.push_back({{"poll", name}, {"count", count}});
            }
        }
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

    [[nodiscard]] static Json post(const Step& step, const std::string& label) {
        Json json;
        json["post"] = post_name(step);
        json["qp"] = qp_name(step.connection);
        const auto piece = [&](const Span& span, Json& to) {
            to["buffer"] = "mem";
            to["offset"] = bytes(memory_at(step.side) + span.offset);
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
                if (request.receive) {
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
