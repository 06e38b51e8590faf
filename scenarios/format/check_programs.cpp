// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "scenarios/format/checks.hpp"
#include "scenarios/format/driven_queues.hpp"
#include "scenarios/format/piece_checker.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

namespace {

// Checks one host's program.
class ProgramChecker {
public:
    ProgramChecker(const Scenario& scenario, const Host& host, const Peers& peers, Checker& check)
        : scenario_(scenario),
          host_(host),
          driven_(scenario, host),
          peers_(peers),
          check_(check),
          pieces_(host, check) {
        for (const SharedReceiveQueue& srq : host.srqs) {
            if (srq.threshold > 0) {
                armed_srqs_.insert(srq.name);
            }
        }
    }

    void check(const std::vector<Op>& ops, bool once) {
        for (const Op& op : ops) {
            // A problem of a post with a count is reported once.
            if (!check_.is_sound(op.path) && !std::holds_alternative<RepeatOp>(op.what)) {
                continue;
            }
            if (const auto* const post = std::get_if<PostOp>(&op.what)) {
                check_label(post->label, op, once);
                if (reported_ != op.path) {
                    check_post(*post, op);
                }
            } else if (const auto* const poll = std::get_if<PollOp>(&op.what)) {
                check_free(driven_.driver_of_cq(poll->cq), poll->cq, op.path + ".poll");
            } else if (const auto* const arm = std::get_if<ArmOp>(&op.what)) {
                check_free(driven_.driver_of_cq(arm->cq), arm->cq, op.path + ".arm");
                armed_.insert(arm->cq);
            } else if (const auto* const modify = std::get_if<ModifySrqOp>(&op.what)) {
                check_free(driven_.poster_to(modify->srq), modify->srq, op.path + ".modify_srq");
                if (modify->threshold > 0) {
                    armed_srqs_.insert(modify->srq);
                }
            } else if (const auto* const wait = std::get_if<WaitOp>(&op.what)) {
                check_wait(*wait, op);
            } else if (const auto* const spin = std::get_if<SpinOp>(&op.what)) {
                check_spin(*spin, op);
            } else if (const auto* const moderate = std::get_if<ModerateOp>(&op.what)) {
                check_moderation(moderate->moderation, op.path, check_);
            } else if (const auto* const connection = std::get_if<ConnectionOp>(&op.what)) {
                check_connection(*connection, op, once);
            } else if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
                check(repeat->body, once && repeat->count == 1);
            }
        }
    }

private:
    void wrong(const Op& op, const std::string& path, std::string message, std::string hint = {}) {
        check_.wrong(path, std::move(message), std::move(hint));
        reported_ = op.path;
    }

    void note(const Op& op, bool is_sound) { reported_ = is_sound ? reported_ : op.path; }

    // Traffic handles completions of its own requests only.
    void check_completions(const std::string& qp, const std::string& cq, const Op& op, const std::string& key) {
        if (const std::string traffic = driven_.poller_of(cq); !traffic.empty()) {
            wrong(op, op.path + key,
                  "completions of queue pair " + qp + " come to " + cq + ", which traffic " + traffic + " polls",
                  "give the queue pair a completion queue of its own");
        }
    }

    void check_wait(const WaitOp& wait, const Op& op) {
        if (!wait.qp.empty()) {
            check_connected(wait.qp, op, ".wait");
            return;
        }
        check_free(driven_.poster_to(wait.srq), wait.srq, op.path + ".wait");
        const bool is_armed = wait.srq.empty() ? armed_.contains(wait.cq) : armed_srqs_.contains(wait.srq);
        if (!is_armed) {
            check_.wrong(op.path + ".wait",
                         "nothing arms " + wait.cq + wait.srq + " before this, so nothing would end it",
                         wait.srq.empty() ? "put {\"arm\": " + in_quotes(wait.cq) + "} before it"
                                          : "give it a threshold, or put a modify_srq with one before it");
        }
    }

    void check_spin(const SpinOp& spin, const Op& op) {
        note(op, pieces_.is_within(spin.piece, op.path));
        if (spin.piece.size == 0_B) {
            wrong(op, op.path + ".spin", "the piece has no last byte, as it is empty");
        }
    }

    // Traffic polls its own queues, so a program must not take completions there.
    void check_free(const std::string& traffic, const std::string& queue, const std::string& path) {
        if (!traffic.empty()) {
            check_.wrong(
                path, "traffic " + traffic + " drives " + queue + " of host " + host_.name + ", so a program cannot");
        }
    }

    // A queue pair without a connection has no peer.
    void check_connected(const std::string& name, const Op& op, const std::string& key) {
        const QueuePair* const qp = find_named(host_.qps, name);
        const std::string path = "hosts." + host_.name + ".qps." + name;
        if (qp != nullptr && !peers_.contains({host_.name, name}) && qp->connect.empty() && check_.is_sound(path) &&
            unconnected_.insert(name).second) {
            wrong(op, op.path + key, "queue pair " + host_.name + "." + name + " is not connected",
                  "set \"connect\", or give the peer's queue pair the same name");
        }
    }

    void check_connection(const ConnectionOp& connection, const Op& op, bool once) {
        const std::string key = "." + std::string(kConnectionVerbNames.at(static_cast<std::size_t>(connection.verb)));
        check_free(driven_.driver_of_qp(connection.qp), connection.qp, op.path + key);
        check_connected(connection.qp, op, key);
        check_label(connection.label, op, once);
        const auto peer = peers_.find({host_.name, connection.qp});
        const bool waits = connection.verb == ConnectionVerb::listen || connection.verb == ConnectionVerb::accept ||
                           connection.verb == ConnectionVerb::reject;
        if (waits && peer != peers_.end() && !connects(peer->second)) {
            wrong(op, op.path + key,
                  "nothing connects: the program of the peer, " + peer->second.text() + ", has no connect",
                  "a connection that no program makes is there from the start");
        }
    }

    [[nodiscard]] bool connects(const Endpoint& peer) const {
        constexpr std::array kConnect{ConnectionVerb::connect};
        const Host* const host = find_named(scenario_.hosts, peer.host);
        return host != nullptr && has_step(*host, peer.name, kConnect);
    }

    void check_label(const std::string& whole, const Op& op, bool once) {
        if (whole.empty() || labelled_ == op.path) {
            return;
        }
        labelled_ = op.path;
        const std::string label = whole.substr(0, whole.find('['));
        if (!labels_.insert(label).second) {
            check_.wrong(op.path + ".as",
                         "another request of this program has the label " + in_quotes(label) + " already");
        } else if (!once) {
            check_.wrong(op.path + ".as", "a request that is repeated cannot have a label",
                         "an expectation would not know which round is meant");
        }
    }

    void check_post(const PostOp& post, const Op& op) {
        if (post.kind == PostKind::srq_receive) {
            check_srq_receive(post, op);
            return;
        }
        const QueuePair* const qp = find_named(host_.qps, post.qp);
        if (qp == nullptr) {
            return;
        }
        const std::string path = "hosts." + host_.name + ".qps." + qp->name;
        check_free(driven_.driver_of_qp(qp->name), qp->name, op.path + ".qp");
        check_connected(qp->name, op, ".qp");
        if (driven_.driver_of_qp(qp->name).empty()) {
            check_completions(qp->name, post.kind == PostKind::receive ? qp->receive_cq : qp->send_cq, op, ".qp");
        }
        if (const std::string_view key = peer_key(post.kind); !key.empty()) {
            check_peer(post, op, *qp, "." + std::string(key));
        }
        if (post.kind == PostKind::receive && !qp->srq.empty()) {
            wrong(op, op.path + ".post",
                  "receives of queue pair " + qp->name + " come from shared receive queue " + qp->srq,
                  R"(post them there: {"post": "srq_receive", "srq": )" + in_quotes(qp->srq) + "}");
        }
        note(op, pieces_.are_sound(post, op.path));
        if (!check_.is_sound(path)) {
            return;
        }
        if (!post.memory.empty()) {
            return;  // it moves no data
        }
        if ((post.flags & kPostInline) != 0) {
            if (const Bytes total = size_of(post.pieces); total > Bytes{qp->inline_max}) {
                wrong(op, op.path + ".flags",
                      to_text(total) + " are more than inline_max of queue pair " + qp->name + ", " +
                          std::to_string(qp->inline_max));
            }
        } else if (post.pieces.size() > qp->max_sge) {
            wrong(op, op.path + ".sgl",
                  std::to_string(post.pieces.size()) + " scatter/gather entries are more than max_sge of queue pair " +
                      qp->name + ", " + std::to_string(qp->max_sge));
        }
    }

    void check_srq_receive(const PostOp& post, const Op& op) {
        const SharedReceiveQueue* const srq = find_named(host_.srqs, post.srq);
        note(op, pieces_.are_sound(post, op.path));
        const std::string traffic = driven_.poster_to(post.srq);
        check_free(traffic, post.srq, op.path + ".srq");
        for (const QueuePair& qp : host_.qps) {
            if (qp.srq == post.srq && reported_ != op.path && traffic.empty()) {
                check_completions(qp.name, qp.receive_cq, op, ".srq");
            }
        }
        if (srq != nullptr && post.pieces.size() > srq->max_sge &&
            check_.is_sound("hosts." + host_.name + ".srqs." + srq->name)) {
            wrong(op, op.path + ".sgl",
                  std::to_string(post.pieces.size()) +
                      " scatter/gather entries are more than max_sge of shared receive queue " + srq->name + ", " +
                      std::to_string(srq->max_sge));
        }
    }

    static std::string_view peer_key(PostKind kind) {
        switch (kind) {
            case PostKind::write:
                return "to";
            case PostKind::read:
                return "from";
            case PostKind::send_and_invalidate:
                return "invalidates";
            default:
                return {};
        }
    }

    // It must be memory of the host at the other end; the peer's NIC refuses ranges beyond it, or not open.
    void check_peer(const PostOp& post, const Op& op, const QueuePair& qp, const std::string& key) {
        const Endpoint& to = post.peer;
        const Host* const host = find_named(scenario_.hosts, to.host);
        if (host == nullptr) {
            check_.missing(op.path + key, "host", to.host, names_of(scenario_.hosts));
            note(op, false);
            return;
        }
        if (find_named(host->buffers, to.name) == nullptr && find_named(host->memory, to.name) == nullptr) {
            std::vector<std::string> known = qualified_names(*host, host->buffers);
            std::ranges::move(qualified_names(*host, host->memory), std::back_inserter(known));
            check_.missing(op.path + key, "buffer or memory object", to.text(), known);
            note(op, false);
            return;
        }
        const auto peer = peers_.find({host_.name, qp.name});
        if (peer != peers_.end() && peer->second.host != to.host) {
            wrong(op, op.path + key,
                  "queue pair " + qp.name + " is connected to " + peer->second.text() + ", not to host " + to.host);
        }
    }

    const Scenario& scenario_;
    const Host& host_;
    const DrivenQueues driven_;
    const Peers& peers_;
    Checker& check_;
    PieceChecker pieces_;
    std::set<std::string> armed_;
    std::set<std::string> armed_srqs_;
    std::set<std::string> labels_;
    std::set<std::string> unconnected_;
    std::string labelled_;
    std::string reported_;
};

}  // namespace

void check_programs(const Scenario& scenario, const Peers& peers, Checker& check) {
    for (const Host& host : scenario.hosts) {
        if (host.program) {
            ProgramChecker(scenario, host, peers, check).check(host.program->ops, true);
        }
    }
}

}  // namespace ndsim::format
