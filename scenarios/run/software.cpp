// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/software.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "models/nic/nic.hpp"
#include "scenarios/format/connections.hpp"
#include "scenarios/format/driven_queues.hpp"
#include "scenarios/hosts/faces.hpp"
#include "scenarios/run/run_options.hpp"

namespace ndsim {

Software::Software(World& world, const Scenario& scenario, const RunOptions& options, Recorder& recorder)
    : world_(world), scenario_(scenario), recorder_(recorder) {
    for (const Host& host : scenario.hosts) {
        make_host(host, options);
    }
    generators_.emplace(world, scenario, sides_);
    generators_->on_warm([this] {
        on_warm_();
        if (log_) {
            log_->info("every generator is warm: measuring begins");
        }
    });
    generators_->on_measured([this] {
        if (generators_->are_warm()) {
            on_measured_();
        }
        look_for_enough();
    });
}

void Software::make_host(const Host& host, const RunOptions& options) {
    const std::size_t i = sides_.size();
    HostSide& side = *sides_.emplace_back(std::make_unique<HostSide>(world_, host));
    side.use(make_face(side));
    side.on_output(options.on_output);
    const auto found = options.programs.find(host.name);
    own_.push_back(found == options.programs.end() ? nullptr : found->second);
    programs_.push_back(host.program && !own_[i]
                            ? std::make_unique<ProgramRunner>(side, *host.program, recorder_, options.calls)
                            : nullptr);
    mains_done_.push_back(false);
    world_.driver(host.name).requests().observe(recorder_);
    if (host.api == Api::wsd) {
        recorder_.has_hidden_requests(HostId{static_cast<std::uint16_t>(i)});
    }
    if (options.calls != nullptr) {
        world_.driver(host.name).requests().observe(*options.calls);
    }
    side.main_core().run_thread([this, i] { main_program(i); });
}

bool Software::programs_ended() const {
    return std::all_of(mains_done_.begin(), mains_done_.end(), [](bool done) { return done; });
}

void Software::look_for_enough() {
    if (!scenario_.measure.drain && generators_->have_measured() && programs_ended() && !finished()) {
        cut_short_ = true;
        on_enough_();
    }
}

HostSide* Software::side_of(std::string_view host) const {
    const auto found = std::ranges::find_if(sides_, [&](const auto& side) { return side->host().name == host; });
    return found == sides_.end() ? nullptr : found->get();
}

// The work of a host's main core: set-up, then its program.
void Software::main_program(std::size_t host) {
    HostSide& side = *sides_[host];
    if (!own_[host]) {
        set_up(side);
    }
    ++sides_ready_;
    begin_work(side.main_core());
    if (own_[host]) {
        own_[host](side);
    } else if (programs_[host]) {
        programs_[host]->run();
    }
    mains_done_[host] = own_[host] || !programs_[host] || programs_[host]->finished();
    look_for_enough();
}

void Software::set_up(HostSide& side) {
    side.set_up();
    generators_->set_up(side);
    side.main_core().sync();
}

void Software::begin_work(Core& core) {
    core.waits_for("the other hosts to be set up");
    if (sides_ready_ == sides_.size()) {
        // A moment ahead of the last host, so that no other host has to act in the past.
        started_ = core.clock() + std::chrono::nanoseconds{1};
        for (const auto& side : sides_) {
            side->main_core().waits_for("its work to begin");
            side->main_core().wake(started_);
        }
        generators_->start(started_);
        note_generators();
        if (log_) {
            log_->info("all hosts are set up: programs and generators begin");
        }
    }
    while (started_ == Picoseconds{} || core.clock() < started_) {
        if (started_ == Picoseconds{}) {
            core.sleep();
        } else {
            core.sleep(started_);
        }
    }
    core.waits_for({});
}

void Software::note_generators() {
    const auto has_program = [](const auto& program) { return program != nullptr; };
    if (std::ranges::none_of(programs_, has_program) && std::ranges::none_of(own_, has_program)) {
        return;
    }
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        HostSide& side = *sides_[i];
        const format::DrivenQueues driven(scenario_, side.host());
        for (const QueuePair& qp : side.host().qps) {
            const std::optional<QpNum> number = side.face().number_of(qp.name);
            if (number && !driven.driver_of_qp(qp.name).empty()) {
                recorder_.has_generator(HostId{static_cast<std::uint16_t>(i)}, *number);
            }
        }
    }
}

bool Software::finished() const {
    return programs_ended() && generators_->finished();
}

std::string Software::who_waits() const {
    std::vector<std::string> waiting;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        if (!mains_done_[i]) {
            waiting.push_back(where(i));
        }
    }
    std::ranges::move(generators_->waiting(), std::back_inserter(waiting));
    for (const auto& side : sides_) {
        if (const std::uint64_t deferred = side->driver().deferred(); deferred > 0) {
            waiting.push_back(fmt::format("{} deferred request{} of {} wait{} for one that is not", deferred,
                                          deferred == 1 ? "" : "s", side->host().name, deferred == 1 ? "s" : ""));
        }
    }
    if (waiting.empty()) {
        waiting.emplace_back("every program and generator has ended, the hardware has not");
    }
    for (const auto& side : sides_) {
        add_refused(*side, waiting);
    }
    constexpr std::size_t kMost = 12;
    const std::size_t more = waiting.size() - std::min(waiting.size(), kMost);
    waiting.resize(waiting.size() - more);
    return fmt::format("{}{}", fmt::join(waiting, "; "), more == 0 ? "" : fmt::format("; and {} more", more));
}

// Adds queue pairs that find no receive, and where.
void Software::add_refused(const HostSide& side, std::vector<std::string>& waiting) const {
    const std::string& host = side.host().name;
    for (const RefusedQueuePair& refused : world_.node(host).nic->completer.refused()) {
        const QueuePair* const qp = side.declared(refused.qp);
        const std::string name =
            qp == nullptr ? fmt::format("queue pair {} of {}", raw(refused.qp), host) : host + "." + qp->name;
        waiting.push_back(fmt::format(
            "{} was refused {} times in a row, as no receive is posted {}", name, refused.times,
            qp == nullptr ? "for it" : "to " + receives_of(scenario_, peer_of(scenario_, {host, qp->name}))));
    }
}

void Software::warn_at_end() const {
    for (const auto& side : sides_) {
        side->driver().warn_of_deferred();
    }
}

// The current action of a host's main core. While it computes, it waits for nothing.
std::string Software::where(std::size_t host) const {
    const bool begun = sides_ready_ == sides_.size();
    if (begun && programs_[host]) {
        return programs_[host]->where();
    }
    const std::string& name = sides_[host]->host().name;
    const std::string what = sides_[host]->waiting();
    const HostConnections& connections = sides_[host]->connections();
    const std::string doing = connections.doing().empty() ? "" : " (" + connections.doing() + ")";
    if (!what.empty()) {
        return fmt::format("host {} waits for {}{}", name, what, connections.tries_again() ? doing : "");
    }
    if (begun) {
        return fmt::format("the program of {} has not ended", name);
    }
    return fmt::format("host {} is being set up{}", name, doing);
}

std::span<const std::byte> Software::memory(const std::string& name) const {
    const Endpoint end = endpoint_of(name);
    HostSide* const side = side_of(end.host);
    if (side == nullptr || !side->has_buffer(end.name)) {
        return {};
    }
    const PageMemory& memory = side->buffer(end.name).memory;
    return {memory.data(), memory.size()};
}

void Software::report(Metrics& metrics) const {
    for (const auto& side : sides_) {
        metrics.add(fmt::format("programs.{}.consumer_errors", side->host().name), side->driver().consumer_errors(),
                    std::nullopt, "calls that the interface's rules forbid");
        metrics.add(fmt::format("programs.{}.deferred", side->host().name), side->driver().deferred(), std::nullopt,
                    "requests deferred at the end, which never began");
        const core::DriverCounters& of = side->driver().counters();
        const std::string prefix = side->host().name + ".ndk.";
        metrics.add(prefix + "connects", of.connects, std::nullopt, "connects that led to a connection");
        metrics.add(prefix + "accepts", of.accepts, std::nullopt, "accepts that led to a connection");
        metrics.add(prefix + "connect_failures", of.connect_failures, std::nullopt,
                    "connects that did not lead to a connection");
        metrics.add(prefix + "connection_errors", of.connection_errors, std::nullopt,
                    "connections that failed before this side disconnected");
        metrics.add(prefix + "active_connections", of.active_connections, std::nullopt, "connections at the end");
        metrics.add(prefix + "cq_errors", of.cq_errors, std::nullopt, "completion queues that overran");
    }
    generators_->report(metrics);
    for (const auto& program : programs_) {
        if (program) {
            program->report(metrics);
        }
    }
}

}  // namespace ndsim
