// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/proto/wc_status.hpp"
#include "ndapi/core/status.hpp"
#include "scenarios/forecast/findings.hpp"
#include "scenarios/forecast/refusals.hpp"
#include "scenarios/forecast/state.hpp"
#include "scenarios/format/status_name.hpp"

namespace ndsim::forecast {

// A request that surely fails, and its connection with it.
struct Failure {
    Index qp = 0;
    Index index = 0;  // in its send queue
    NTSTATUS status = STATUS_SUCCESS;
    std::optional<NTSTATUS> receive_status{};  // the receive that it takes fails too
    bool is_unacknowledged = false;            // the peer does not tell which request it was
    bool even_if_broken = false;               // as in Finding
    bool at_rest = false;                      // because nothing can help it any more
    std::string why{};
    std::string advice{};
};
using Failures = std::map<std::pair<Index, Index>, Failure>;

// Follower: goes through all programs in one course of events, without time. In it everything happens that may: a
// message waits for its receive, and a request for the key that it needs, as long as some program may still bring it.
// If only time decides that this comes first, it is a risk. Sure failures must be known from the beginning, or programs
// would learn something from events behind them. So a course with an unknown sure failure is given up, and followed
// again with it.
//
// The operations of programs are in operations.cpp and connecting.cpp, posts in posting.cpp, completion queues in
// polling.cpp, the way of a request in delivery.cpp, messages.cpp and keys.cpp, its failure in breaking.cpp, and the
// end, when nothing goes on any more, in resting.cpp and conclusions.cpp.
class Follower {
public:
    Follower(const Scenario& scenario, const Times& times, const Failures& failures);

    void run();
    // Requests that surely fail, and were not in `failures`.
    [[nodiscard]] const std::vector<Failure>& found() const { return found_; }
    [[nodiscard]] const Findings& findings() const { return findings_; }

private:
    using Doubt = Findings::Doubt;
    enum class Step : std::uint8_t { done, blocked };
    // The outcome of a request whose turn it is.
    struct Verdict {
        bool waits = false;
        std::optional<Failure> failure;
    };

    // --- set-up
    void leave_out_accidents();
    void add_host(const Host& host);
    void add_qp(Software& software, const QueuePair& qp);
    void connect_qps();
    Index cq_of(Software& software, const std::string& name);
    Index add_stream(Index qp, bool receives, Index cq);
    static void watch(const std::vector<Op>& ops, std::vector<Spot>& spots);

    // --- programs
    bool advance(Software& software);
    [[nodiscard]] const Op* next(Software& software);
    void finish(Software& software);
    void lose(Software& software, const std::string& why);
    Step carry_out(Software& software, const PostOp& post);
    Step carry_out(Software& software, const PollOp& poll);
    Step carry_out(Software& software, const ArmOp& arm);
    Step carry_out(Software& software, const WaitOp& wait);
    Step carry_out(Software& software, const SpinOp& spin);
    Step carry_out(Software& software, const ModifySrqOp& modify);
    Step carry_out(Software& software, const ConnectionOp& connection);
    Step carry_out(Software& software, const ModerateOp& moderate);
    Step carry_out(Software& software, const ResizeOp& resize);
    Step carry_out(Software& software, const SleepOp& sleep);
    Step carry_out(Software& software, const RepeatOp& repeat);
    [[nodiscard]] std::optional<Picoseconds> latest(const Stream& stream) const;
    void note_crowd(const Software& software, Cq& cq);
    Step wait_for_cq(Software& software, Cq& cq);
    Step wait_for_srq(Software& software, Srq& srq);
    Step wait_for_disconnect(Software& software, Qp& qp);

    Step connect(Software& software, Index qp, const ConnectionOp& op);
    Step ask(Software& software, Index qp);
    void listen(Software& software, Qp& qp);
    Step answer(Software& software, Index qp, const ConnectionOp& op);
    Step disconnect(Software& software, Index qp, const ConnectionOp& op);
    void leave(Software& software, Index qp);
    void flush(Software& software, Index qp);
    [[nodiscard]] bool is_flushed_by_peer(const Qp& qp) const;
    void may_come_before_failure(const Software& software, Index qp);
    [[nodiscard]] bool knows_failure(const Software& software, const Qp& qp) const;
    void refuse_step(Software& software, const ConnectionOp& op, NTSTATUS status, const std::string& why,
                     const std::string& advice);

    // --- posts
    Step post_to_socket(Software& software, const PostOp& post);
    void post_receive(Software& software, const PostOp& post);
    [[nodiscard]] std::optional<Refusal> refusal_of(const Software& software, const Qp& qp, const PostOp& post);
    [[nodiscard]] std::optional<Refusal> refusal_of_bind(const Software& software, const PostOp& post);
    void post_send(Software& software, const PostOp& post);
    [[nodiscard]] std::optional<Index> take(Software& software, const PostOp& post, std::vector<Index>& queue,
                                            std::uint32_t depth, std::pair<Index, Index> freed,
                                            const std::string& where);
    [[nodiscard]] std::pair<Index, Index> sends_freed(const Qp& qp) const;
    [[nodiscard]] std::pair<Index, Index> receives_freed(const Qp& qp) const;
    [[nodiscard]] std::pair<Index, Index> receives_freed(const Srq& srq) const;
    void refuse_post(Software& software, const PostOp& post, const Refusal& refusal);
    void note_key_change(Software& software, Request& request);
    [[nodiscard]] bool is_deferred(const Software& software, const Qp& qp, const PostOp& post) const;
    void announce(Index qp);

    // --- the way of a request
    void deliver(Index qp);
    void deliver_to(Index receiver);
    [[nodiscard]] bool carries(Index qp);
    [[nodiscard]] Verdict judge(Request& request);
    [[nodiscard]] Verdict judge_message(Request& request);
    [[nodiscard]] Verdict judge_in_time(Request& message, Request& receive);
    [[nodiscard]] Verdict judge_arrived(Request& message, const Request& receive);
    [[nodiscard]] Verdict judge_length(const Request& message, const Request& receive);
    [[nodiscard]] bool is_there_for(const Request& message, const Request& receive) const;
    [[nodiscard]] Verdict judge_remote(Request& request);
    [[nodiscard]] Verdict judge_change(Request& request);
    [[nodiscard]] Verdict judge_use(Request& request, Memory& memory, std::uint32_t right, const Piece& piece);
    [[nodiscard]] Failure failed_use(const Request& request, bool is_own, std::string why) const;
    void require_behind(const Request& request, const Memory& memory, WcStatus status);
    [[nodiscard]] bool is_behind(const Request& request, const Memory::Touch& before) const;
    void change(Request& request, Memory& memory, bool is_slow);
    // The peer's memory that a write or read names.
    struct Target {
        const Software* owner = nullptr;
        std::string name;
    };
    [[nodiscard]] Target target_of(const Request& request) const;
    [[nodiscard]] bool stays_within_buffer(const Request& request) const;
    void carry_out(Request& request);
    void access(Request& request);
    void carry_out_message(Request& request);
    void place(Stream& stream, Entry entry);
    void write(const Software& software, std::string_view buffer, std::uint64_t offset, std::uint64_t size);
    void scatter(const Request& receive, std::uint64_t length);
    [[nodiscard]] Request* receive_for(const Qp& to);
    [[nodiscard]] Memory* memory_called(std::string_view host, std::string_view name);
    [[nodiscard]] Memory* peer_memory(const Request& request);
    void use(const Request& request, Memory* memory);
    static void arrives_behind(Qp& qp, std::optional<Picoseconds> latest);
    [[nodiscard]] std::optional<Picoseconds> arrival(const Request& message, const Request& receive) const;
    [[nodiscard]] bool is_first_risk(const Request& request);
    void risk(const Request& request, const std::string& what, NTSTATUS status, const std::string& advice);

    // --- failures
    void break_connection(const Failure& failure);
    void flush_queues(Index qp);
    void loosen_silent(Index qp, Index from);
    void loosen_receives(const Qp& to, const Request& message);
    [[nodiscard]] bool is_harmless(const Request& request) const;
    void end_connection(Index qp);
    void loosen(Stream& stream, std::uint64_t more) { cqs_[stream.cq].loose += more; }

    // --- completion queues
    void learn(Software& software, Cq& cq);
    void learn(Software& software, const Known& known);
    [[nodiscard]] bool tells(const Stream& stream, const Entry& entry) const;
    [[nodiscard]] std::uint64_t most_of(const Cq& cq) const;
    [[nodiscard]] std::uint64_t most_if_broken(const Cq& cq) const;

    // --- at rest
    [[nodiscard]] bool resolve();
    [[nodiscard]] bool lose_doubtful();
    [[nodiscard]] bool fail_stuck_requests();
    [[nodiscard]] bool refuse_connects();
    [[nodiscard]] bool end_connection_calls();
    [[nodiscard]] std::optional<Failure> stuck(Index qp);
    [[nodiscard]] std::optional<Failure> without_receive(const Request& request) const;
    [[nodiscard]] std::optional<Failure> without_key(const Request& request);
    void conclude();
    void conclude_stall(const Software& software);
    void conclude_queue(const Qp& qp);
    void conclude_overrun(const Cq& cq, bool is_certain);
    void conclude_crowd(Cq& cq);
    [[nodiscard]] std::uint64_t held_in(const Cq& cq, const Crowd& crowd) const;
    // The wait of a program, and whether it is certain whatever others do.
    struct Stall {
        std::string what{};
        std::string advice{};
        bool must = true;
        bool even_if_unsure = false;
    };
    [[nodiscard]] Stall stall(const Software& software, const PollOp& poll) const;
    [[nodiscard]] Stall stall(const Software& software, const WaitOp& wait) const;
    [[nodiscard]] Stall stall(const Software& software, const SpinOp& spin) const;
    [[nodiscard]] Stall stall(const Software& software, const ConnectionOp& op) const;
    [[nodiscard]] Stall stall(const Software& software, const PostOp& post) const;
    [[nodiscard]] std::uint64_t all_of(const Cq& cq) const;

    // --- words
    [[nodiscard]] std::string name_of(const Request& request) const;
    [[nodiscard]] std::string place_of(const Request& request) const;
    [[nodiscard]] std::string name_of(const Qp& qp) const;
    [[nodiscard]] std::string name_of(const Memory& memory) const;
    [[nodiscard]] std::string name_of(const Cq& cq) const { return scenario_.hosts[cq.host].name + "." + cq.name; }
    [[nodiscard]] std::string depth_of(const Cq& cq) const;
    [[nodiscard]] Foreseen said_of(const Moment& at, ForeseenKind kind, std::string what) const;
    [[nodiscard]] Foreseen said_of(const Request& request, ForeseenKind kind, std::string what) const;
    [[nodiscard]] static std::string label_of(const Moment& at);
    [[nodiscard]] std::string queue_of(const Moment& at) const;
    [[nodiscard]] NTSTATUS status_of(WcStatus status, const Request& request) const;

    // How long a sender at least survives a missing receive; nothing if for ever.
    [[nodiscard]] std::optional<Picoseconds> patience(Index receiver) const;
    [[nodiscard]] const Request& request(const Qp& qp, Index index) const { return requests_[qp.sends[index]]; }
    [[nodiscard]] Software& software_of(const Qp& qp) { return hosts_[qp.host]; }

    const Scenario& scenario_;
    const Times& times_;
    const Failures& failures_;
    Findings findings_;
    std::vector<Software> hosts_;
    std::vector<Qp> qps_;
    std::vector<Cq> cqs_;
    std::vector<Stream> streams_;
    std::vector<Srq> srqs_;
    std::vector<Memory> memories_;
    std::deque<Request> requests_;
    std::vector<Failure> found_;
    std::map<Index, Failure> breaks_;           // by queue pair, either end of a connection that surely breaks
    std::set<std::pair<Index, Index>> passes_;  // requests whose key may or may not be there
    bool stirred_ = false;                      // something that waited may go on
    std::uint64_t left_to_follow_ = 0;          // operations
};

}  // namespace ndsim::forecast
