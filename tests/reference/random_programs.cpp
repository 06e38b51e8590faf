// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/random_programs.hpp"

#include "tests/support/generators.hpp"

namespace ndsim::reference {

namespace {

using test::below;
using test::list_of;
using test::one_in;

using Setting = std::pair<std::string, std::string>;

constexpr std::uint32_t kLongest = 3000;  // bytes of one piece of a message
constexpr std::uint32_t kRoomy = 3 * kLongest;

rc::Gen<Span> pieces_of(rc::Gen<std::uint32_t> size) {
    return rc::gen::build<Span>(rc::gen::set(&Span::offset, below(kMemory - kRoomy)),
                                rc::gen::set(&Span::size, std::move(size)));
}

rc::Gen<std::vector<Span>> message() {
    return list_of(3, pieces_of(rc::gen::weightedOneOf<std::uint32_t>(
                          {{4, below(17U)}, {3, below(300U)}, {1, below(kLongest + 1)}})));
}

rc::Gen<std::vector<Span>> room() {
    const auto roomy = rc::gen::map(below(kMemory - kRoomy), [](std::uint32_t offset) {
        return std::vector<Span>{{offset, kRoomy}};
    });
    // The second piece is as large as any message, so only the first is filled by most.
    const auto parted = rc::gen::map(pieces_of(below(100U)), [](Span span) {
        return std::vector<Span>{span, {kMemory - kRoomy, kRoomy}};
    });
    return rc::gen::weightedOneOf<std::vector<Span>>({{8, roomy}, {4, parted}, {1, message()}});
}

// A change of a host's queues; a depth is small enough to be reached, or ample.
rc::Gen<Step> setting_step(What what) {
    using rc::gen::element;
    using rc::gen::set;
    const auto depth = rc::gen::weightedOneOf<std::uint32_t>(
        {{1, rc::gen::map(below(7U), [](std::uint32_t n) { return n + 1; })}, {3, element(kAmple, 2 * kAmple)}});
    const bool has_depth = what == What::resize || what == What::modify_srq;
    const auto whole = rc::gen::build<Step>(
        set(&Step::what, rc::gen::just(what)), set(&Step::side, below<std::uint8_t>(kSides)),
        set(&Step::connection, below<std::uint8_t>(kConnections)), set(&Step::of_receives, rc::gen::arbitrary<bool>()),
        set(&Step::phase, rc::gen::weightedElement<Phase>({{4, Phase::start}, {2, Phase::amid}, {1, Phase::rest}})),
        set(&Step::wish, element(Wish::any, Wish::solicited, Wish::errors)),
        set(&Step::depth, has_depth ? depth : rc::gen::just(0U)),
        set(&Step::threshold, what == What::modify_srq ? below(6U) : rc::gen::just(0U)),
        set(&Step::interval, what == What::moderate ? element(0U, 1U, 50U, 3000U) : rc::gen::just(0U)),
        set(&Step::count, what == What::moderate ? below(5U) : rc::gen::just(0U)));
    return rc::gen::map(whole, [](Step step) {
        if (step.what == What::modify_srq && (step.depth < step.threshold || step.phase == Phase::rest)) {
            step.depth = 0;
            step.phase = Phase::start;
        }
        return step;
    });
}

rc::Gen<Step> step_of(rc::Gen<What> kind) {
    using rc::gen::set;
    return rc::gen::mapcat(std::move(kind), [](What what) {
        if (what >= What::arm) {
            return setting_step(what);
        }
        const auto place = rc::gen::weightedOneOf<std::uint32_t>({{30, below(kMemory - kRoomy)}, {1, below(kMemory)}});
        const bool remote = what == What::write || what == What::read;
        const bool local = what == What::open || what == What::invalidate;
        const bool initiates = what != What::receive && what != What::poll && what != What::disconnect;
        const auto target =
            remote ? rc::gen::weightedElement<Target>({{3, Target::memory}, {1, Target::window}, {1, Target::region}})
            : local || what == What::send_and_invalidate ? rc::gen::element(Target::window, Target::region)
                                                         : rc::gen::just(Target::memory);
        const auto opened = rc::gen::map(below(kRoomy), [](std::uint32_t size) {
            return std::vector<Span>{{kRoomy - size, size + 1}};
        });
        const auto right = [&] {
            return what == What::open ? rc::gen::weightedElement<bool>({{5, true}, {1, false}}) : rc::gen::just(false);
        };
        const auto flag = [&](std::size_t n) { return initiates ? one_in(n) : rc::gen::just(false); };
        const auto whole = rc::gen::build<Step>(
            set(&Step::what, rc::gen::just(what)), set(&Step::side, below<std::uint8_t>(kSides)),
            set(&Step::connection, below<std::uint8_t>(kConnections)), set(&Step::target, target),
            set(&Step::remote_read, right()), set(&Step::remote_write, right()),
            set(&Step::pieces, what == What::receive                   ? room()
                               : what == What::open                    ? opened
                               : initiates && what != What::invalidate ? message()
                                                                       : rc::gen::just(std::vector<Span>{})),
            set(&Step::to, remote ? place : rc::gen::just(0U)), set(&Step::silent, flag(3)), set(&Step::fence, flag(8)),
            set(&Step::solicit, flag(8)), set(&Step::inlined, flag(4)), set(&Step::defer, flag(5)),
            set(&Step::late, what == What::receive ? one_in(5) : rc::gen::just(false)),
            set(&Step::hasty, what == What::disconnect ? one_in(2) : rc::gen::just(false)),
            set(&Step::may_fail, one_in(8)),
            set(&Step::local_write, what == What::open ? rc::gen::arbitrary<bool>() : rc::gen::just(false)),
            set(&Step::into_region, what == What::read ? one_in(3) : rc::gen::just(false)),
            set(&Step::kills_sink, what == What::read ? rc::gen::arbitrary<bool>() : rc::gen::just(false)));
        return rc::gen::map(whole, [](Step step) {
            const bool may_inline =
                step.what == What::send || step.what == What::write || step.what == What::send_and_invalidate;
            step.inlined = step.inlined && may_inline && step.length() <= kInlineMax;
            // What a deferred one finds would depend on when it is announced.
            step.defer = step.defer && step.target == Target::memory;
            if (step.target != Target::memory) {
                step.to %= 200;
            }
            step.local_write = step.local_write && step.target == Target::region;
            step.into_region = step.into_region && step.pieces.size() == 1 && step.length() > 0;
            step.kills_sink = step.kills_sink && step.into_region;
            if (step.into_region) {
                step.pieces.front().offset %= 200;
                step.defer = false;
            }
            if (step.what == What::open && !step.remote_read && !step.remote_write) {
                step.remote_read = true;
            }
            return step;
        });
    });
}

rc::Gen<Step> step() {
    return step_of(rc::gen::weightedElement<What>({{20, What::send},
                                                   {40, What::receive},
                                                   {9, What::write},
                                                   {9, What::read},
                                                   {4, What::send_and_invalidate},
                                                   {6, What::open},
                                                   {2, What::invalidate},
                                                   {4, What::poll},
                                                   {1, What::disconnect},
                                                   {4, What::arm},
                                                   {1, What::moderate},
                                                   {2, What::resize},
                                                   {1, What::modify_srq}}));
}

Step like(const Step& step, What what) {
    Step next;
    next.side = step.side;
    next.connection = step.connection;
    next.what = what;
    next.pieces = step.pieces;
    next.may_fail = false;
    return next;
}

// A Read, and behind its fence a request that sends on what has come.
rc::Gen<Epoch> read_and_send_on() {
    return rc::gen::apply(
        [](Step read, What what, std::uint32_t to) {
            read.target = Target::memory;
            read.into_region = read.kills_sink = read.defer = read.may_fail = false;
            Step next = like(read, what);
            next.fence = true;
            next.to = to;
            return Epoch{read, next};
        },
        step_of(rc::gen::just(What::read)), rc::gen::element(What::send, What::write), below(kMemory - kRoomy));
}

// A Read into a region that it invalidates, between two requests that open this.
rc::Gen<Epoch> read_and_invalidate() {
    return rc::gen::apply(
        [](Step open, Step read, std::uint32_t size) {
            open.target = Target::region;
            open.local_write = true;
            open.defer = open.may_fail = false;
            Step into = like(open, What::read);
            into.pieces = {{read.to % 50, size + 1}};
            into.to = read.to % (kMemory - kRoomy);
            into.into_region = into.kills_sink = true;
            Step again = open;
            again.fence = true;
            return Epoch{open, into, again};
        },
        step_of(rc::gen::just(What::open)), step_of(rc::gen::just(What::read)), below(40U));
}

rc::Gen<Epoch> epoch() {
    const auto one = rc::gen::map(step(), [](Step step) { return Epoch{std::move(step)}; });
    const auto parts =
        list_of(25, rc::gen::weightedOneOf<Epoch>({{20, one}, {1, read_and_send_on()}, {1, read_and_invalidate()}}));
    return rc::gen::map(parts, [](const std::vector<Epoch>& list) {
        Epoch all;
        for (const Epoch& part : list) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    });
}

rc::Gen<Endpoint> endpoint() {
    using rc::gen::set;
    const auto queue = [] { return rc::gen::weightedElement<std::uint8_t>({{3, 0}, {2, 1}, {1, 2}}); };
    const auto depth = [] { return rc::gen::weightedElement<std::uint32_t>({{6, 64}, {2, 8}, {1, 3}, {1, 1}}); };
    return rc::gen::build<Endpoint>(set(&Endpoint::send_cq, queue()), set(&Endpoint::receive_cq, queue()),
                                    set(&Endpoint::sq_depth, depth()), set(&Endpoint::rq_depth, depth()),
                                    set(&Endpoint::srq, one_in(2)));
}

// Limits of the hardware down to the smallest; none of them may change what becomes of a request.
rc::Gen<Setting> setting() {
    return rc::gen::elementOf(std::vector<Setting>{
        {"/nic/mtu", "256"},
        {"/nic/mtu", "1024"},
        {"/nic/wqe_fetch_batch", "1"},
        {"/nic/rq_fetch_batch", "1"},
        {"/nic/wqe_cache", "20"},
        {"/nic/wqe_push_max", "0"},
        {"/nic/rq_prefetch", "1"},
        {"/nic/rq_park", "1"},
        {"/nic/rq_park", "8"},
        {"/nic/retransmit_buffer", "\"6 KiB\""},
        {"/nic/retransmit_buffer", "\"1 MiB\""},
        {"/nic/sq_in_flight", "1"},
        {"/nic/dma_reads_in_flight", "4"},
        {"/nic/dma_writes_in_flight", "1"},
        {"/nic/psn_window", "1"},
        {"/nic/psn_window", "7"},
        {"/nic/psn_window", "64"},
        {"/nic/ack_every", "1"},
        {"/nic/ack_point", "\"accepted\""},
        {"/nic/ack_point", "\"visible\""},
        {"/nic/tx_fifo", "\"8 KiB\""},
        {"/nic/rx_buffer", "\"48 KiB\""},
        {"/nic/doorbell_fifo", "1"},
        {"/nic/doorbell_decode", "\"300 ns\""},
        {"/nic/doorbell_policy", "\"coalesce\""},
        {"/nic/cq_update_every", "1"},
        {"/nic/cq_update_every", "200"},
        {"/nic/cqe_compression", "3"},
        {"/nic/cqe_compression", "8"},
        {"/pcie/mps", "\"128 B\""},
        {"/pcie/mrrs", "\"128 B\""},
        {"/pcie/tags", "4"},
        {"/pcie/width", "1"},
        {"/pcie/posted_headers", "34"},
        {"/pcie/nonposted_headers", "34"},
        {"/cpu/store_buffer", "1"},
        {"/cpu/wqe_build", "\"1 us\""},
    });
}

}  // namespace

rc::Gen<Program> random_programs() {
    using rc::gen::set;
    const auto ends = rc::gen::container<std::array<std::array<Endpoint, kConnections>, kSides>>(
        rc::gen::container<std::array<Endpoint, kConnections>>(endpoint()));
    const auto depth = rc::gen::weightedOneOf<std::uint32_t>(
        {{4, rc::gen::just(1024U)}, {1, rc::gen::map(below(7U), [](std::uint32_t n) { return 7 - n; })}});
    const auto depths = rc::gen::container<std::array<std::array<std::uint32_t, kSharedCqs>, kSides>>(
        rc::gen::container<std::array<std::uint32_t, kSharedCqs>>(depth));
    const auto srq_depths = rc::gen::container<std::array<std::uint32_t, kSides>>(
        rc::gen::weightedElement<std::uint32_t>({{2, 2 * kAmple}, {2, 64}, {1, 4}}));
    return rc::gen::build<Program>(set(&Program::infiniband, one_in(3)), set(&Program::endpoints, ends),
                                   set(&Program::shared_depths, depths), set(&Program::srq_depths, srq_depths),
                                   set(&Program::hardware, list_of(4, setting())),
                                   set(&Program::epochs, list_of(5, epoch())));
}

}  // namespace ndsim::reference
