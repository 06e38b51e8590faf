// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/scenario_steps.hpp"

#include "tests/reference/scenario_text.hpp"

namespace ndsim::reference {

namespace {

std::string cq_of(const Program& program, const Step& step) {
    return cq_name(program, step.side, step.connection, step.of_receives);
}

std::string object_name(const Step& step) {
    return step.target == Target::memory
               ? "mem"
               : (step.target == Target::window ? "w" : "f") + std::to_string(step.connection);
}

std::string post_name(const Step& step) {
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

}  // namespace

std::string bytes(std::uint64_t count) {
    return std::to_string(count) + " B";
}

std::string qp_name(std::size_t connection) {
    return "q" + std::to_string(connection);
}

Json step_json(const Program& program, const Step& step) {
    if (step.what == What::arm) {
        static constexpr std::array kWishes{"errors", "errors", "solicited", "any"};
        return {{"arm", cq_of(program, step)}, {"for", kWishes.at(static_cast<std::size_t>(step.wish))}};
    }
    if (step.what == What::resize) {
        return {{"resize", cq_of(program, step)}, {"depth", step.depth}};
    }
    if (step.what == What::modify_srq) {
        return {{"modify_srq", kSrqName}, {"depth", step.depth}, {"threshold", step.threshold}};
    }
    if (step.what == What::poll) {
        return {{"poll", cq_of(program, step)}};
    }
    Json json{{"moderate", cq_of(program, step)}};
    if (step.interval > 0) {
        json["interval"] = std::to_string(step.interval) + " us";
        json["count"] = step.count;
    }
    return json;
}

Json post_json(const Program& program, const Step& step, const std::string& label) {
    Json json;
    if (step.what == What::receive && has_srq(program, step)) {
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

}  // namespace ndsim::reference
