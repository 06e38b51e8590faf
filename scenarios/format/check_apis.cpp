// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "scenarios/format/checks.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/text.hpp"

namespace ndsim::format {

namespace {

// A feature that not every interface has.
struct Feature {
    std::string_view name;
    std::array<bool, kApiNames.size()> there;  // in the order of kApiNames
};
constexpr Feature kSharedReceives{"shared receive queues", {true, false, true, false}};
constexpr Feature kFastRegister{"fast-register regions", {true, false, false, false}};
constexpr Feature kWindows{"memory windows", {true, true, true, false}};
constexpr Feature kQueues{"completion queues of a program's own", {true, true, true, false}};
constexpr Feature kModeration{"interrupt moderation", {true, false, false, false}};
constexpr Feature kOneSided{"Reads and Writes of a program's own", {true, true, true, false}};
constexpr Feature kSendAndInvalidate{"SendAndInvalidate", {true, true, false, false}};
constexpr Feature kInvalidate{"Invalidate", {true, true, true, false}};
constexpr Feature kRequestFlags{"flags of requests", {true, true, true, false}};
constexpr Feature kLocalInvalidate{"flag \"local_invalidate\"", {true, false, false, false}};
constexpr Feature kDefer{"flag \"defer\"", {true, false, false, false}};
constexpr Feature kSpin{"registered buffers to spin on", {true, true, true, false}};
constexpr Feature kFlush{"flush", {true, true, true, false}};
constexpr Feature kReject{"reject", {true, true, true, false}};
constexpr Feature kDisconnectNotice{"notification of the peer's disconnect", {true, true, true, false}};
constexpr Feature kGenerators{"generators of traffic", {true, false, false, false}};

// The feature that a post needs, in the order of PostKind; none: every interface has it.
constexpr std::array<const Feature*, kPostKindNames.size()> kPosts{
    nullptr,   nullptr,        &kOneSided,   &kOneSided,      &kSendAndInvalidate,
    &kWindows, &kFastRegister, &kInvalidate, &kSharedReceives};
constexpr std::array kRareFlags{std::pair{kPostLocalInvalidate, &kLocalInvalidate}, std::pair{kPostDefer, &kDefer}};

// Keys of a queue pair that a socket does not have.
constexpr std::array<std::string_view, 9> kNotOfSockets{
    "sq", "rq", "max_sge", "inline_max", "outbound_reads", "inbound_reads", "send_cq", "receive_cq", "srq"};

[[nodiscard]] std::string_view name_of(Api api) {
    return kApiNames.at(static_cast<std::size_t>(api));
}

// Checks one host.
class ApiChecker {
public:
    ApiChecker(const Scenario& scenario, const Host& host, const Peers& peers, Checker& check)
        : scenario_(scenario), host_(host), peers_(peers), check_(check), path_("hosts." + host.name) {}

    void check_host() {
        for (const SharedReceiveQueue& srq : host_.srqs) {
            need(kSharedReceives, path_ + ".srqs." + srq.name);
        }
        for (const MemoryObject& object : host_.memory) {
            need(object.kind == MemoryKind::window ? kWindows : kFastRegister, path_ + ".memory." + object.name);
        }
        for (const CompletionQueue& cq : host_.cqs) {
            need(kQueues, path_ + ".cqs." + cq.name);
            if (cq.interrupt_moderation.is_on()) {
                need(kModeration, path_ + ".cqs." + cq.name + ".interrupt_moderation");
            }
        }
        for (const QueuePair& qp : host_.qps) {
            check_queue_pair(qp);
        }
        for (const Traffic& traffic : scenario_.traffic) {
            for (const auto& [key, end] : {std::pair{".from", &traffic.from}, std::pair{".to", &traffic.to}}) {
                if (end->host == host_.name) {
                    need(kGenerators, "traffic." + traffic.name + key);
                }
            }
        }
        if (host_.program) {
            check_list(host_.program->ops);
        }
    }

private:
    void need(const Feature& feature, const std::string& path) {
        if (feature.there.at(static_cast<std::size_t>(host_.api)) || path == said_) {
            return;
        }
        std::string having;
        for (std::size_t i = 0; i < kApiNames.size(); ++i) {
            if (feature.there.at(i)) {
                having += (having.empty() ? "" : ", ") + std::string(kApiNames.at(i));
            }
        }
        check_.wrong(path, std::string(name_of(host_.api)) + " has no " + std::string(feature.name),
                     "\"api\" of host " + host_.name + " would have to be one of: " + having);
        said_ = path;
    }

    // The switches at both ends of a socket have their own protocol.
    void check_queue_pair(const QueuePair& qp) {
        const std::string path = path_ + ".qps." + qp.name;
        const auto peer = peers_.find({host_.name, qp.name});
        if (peer != peers_.end()) {
            const auto other = std::ranges::find(scenario_.hosts, peer->second.host, &Host::name);
            if (host_.api == Api::wsd && other->api != Api::wsd) {
                check_.wrong(path_ + ".api",
                             "socket " + qp.name + " is connected to " + peer->second.text() + ", whose host uses " +
                                 std::string(name_of(other->api)),
                             "both ends of a socket need \"api\": \"wsd\"");
            }
        }
        for (const std::string_view key : kNotOfSockets) {
            const std::string at = path + "." + std::string(key);
            if (host_.api == Api::wsd && check_.is_said(at)) {
                check_.wrong(at, "a socket has no " + in_quotes(key), "the provider has its own queues");
            }
        }
    }

    void check_list(const std::vector<Op>& ops) {
        for (const Op& op : ops) {
            std::visit([&](const auto& what) { check_op(what, op.path); }, op.what);
        }
    }

    void check_op(const PostOp& post, const std::string& path) {
        if (const Feature* const feature = kPosts.at(static_cast<std::size_t>(post.kind))) {
            need(*feature, path + ".post");
        }
        check_flags(post, path + ".flags");
        check_window(post, path);
    }

    void check_flags(const PostOp& post, const std::string& path) {
        constexpr std::uint32_t kCommon = kPostSilentSuccess | kPostReadFence | kPostSolicit | kPostInline;
        for (const auto& [flag, feature] : kRareFlags) {
            if ((post.flags & flag) != 0) {
                need(*feature, path);
            }
        }
        if (post.memory.empty() && (post.flags & kCommon) != 0) {
            need(kRequestFlags, path);
        }
    }

    // Version 1 gives peers no other access to memory.
    void check_window(const PostOp& post, const std::string& path) {
        const Endpoint& to = post.peer;
        const auto host = std::ranges::find(scenario_.hosts, to.host, &Host::name);
        if (post.peer.empty() || host == scenario_.hosts.end() || path == said_) {
            return;
        }
        const bool is_buffer = std::ranges::find(host->buffers, to.name, &Buffer::name) != host->buffers.end();
        if (is_buffer && (host_.api == Api::ndspi1 || host->api == Api::ndspi1)) {
            const std::string key = post.kind == PostKind::write  ? ".to"
                                    : post.kind == PostKind::read ? ".from"
                                                                  : ".invalidates";
            check_.wrong(path + key, to.text() + " is a buffer, and ndspi1 gives peers access through windows only",
                         "bind one of \"memory\" of host " + to.host + " to it, and name that");
            said_ = path;
        }
    }

    void check_op(const PollOp&, const std::string& path) { need(kQueues, path + ".poll"); }
    void check_op(const ArmOp&, const std::string& path) { need(kQueues, path + ".arm"); }
    void check_op(const WaitOp& wait, const std::string& path) {
        need(!wait.qp.empty() ? kDisconnectNotice : wait.srq.empty() ? kQueues : kSharedReceives, path + ".wait");
    }
    void check_op(const SpinOp&, const std::string& path) { need(kSpin, path + ".spin"); }
    void check_op(const ModerateOp&, const std::string& path) { need(kModeration, path + ".moderate"); }
    void check_op(const ResizeOp&, const std::string& path) { need(kQueues, path + ".resize"); }
    void check_op(const ModifySrqOp&, const std::string& path) { need(kSharedReceives, path + ".modify_srq"); }
    void check_op(const ConnectionOp& connection, const std::string& path) {
        if (connection.verb == ConnectionVerb::flush) {
            need(kFlush, path + ".flush");
        } else if (connection.verb == ConnectionVerb::reject) {
            need(kReject, path + ".reject");
        }
    }
    void check_op(const SleepOp&, const std::string&) {}
    void check_op(const RepeatOp& repeat, const std::string&) { check_list(repeat.body); }

    const Scenario& scenario_;
    const Host& host_;
    const Peers& peers_;
    Checker& check_;
    const std::string path_;
    std::string said_;  // place of the last problem: a post with a count has become many
};

}  // namespace

void check_apis(const Scenario& scenario, const Peers& peers, Checker& check) {
    for (const Host& host : scenario.hosts) {
        ApiChecker(scenario, host, peers, check).check_host();
    }
}

}  // namespace ndsim::format
