// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/forecast/drafts.hpp"

#include "tests/support/generators.hpp"

namespace ndsim::test {

namespace {

template <class T>
rc::Gen<std::array<T, 2>> both(rc::Gen<T> each) {
    return rc::gen::container<std::array<T, 2>>(std::move(each));
}

rc::Gen<Exchange> exchange() {
    using rc::gen::set;
    return rc::gen::build<Exchange>(
        set(&Exchange::kind, rc::gen::weightedElement<ExchangeKind>({{6, ExchangeKind::messages},
                                                                     {5, ExchangeKind::refill},
                                                                     {2, ExchangeKind::write},
                                                                     {2, ExchangeKind::read},
                                                                     {2, ExchangeKind::window},
                                                                     {1, ExchangeKind::sleep}})),
        set(&Exchange::side, below<std::uint8_t>(2)), set(&Exchange::line, below<std::uint8_t>(kLines)),
        set(&Exchange::count,
            rc::gen::map(below<std::uint8_t>(4), [](std::uint8_t n) { return static_cast<std::uint8_t>(n + 1); })),
        set(&Exchange::size, rc::gen::element(0U, 1U, 64U, 4000U)), set(&Exchange::silent, one_in(4)),
        set(&Exchange::defer, one_in(6)), set(&Exchange::by_event, one_in(6)));
}

rc::Gen<Slip> slip() {
    using rc::gen::set;
    return rc::gen::build<Slip>(
        set(&Slip::kind,
            rc::gen::element(SlipKind::drop, SlipKind::repeat, SlipKind::swap, SlipKind::resize, SlipKind::poll_more,
                             SlipKind::poll_less, SlipKind::silence, SlipKind::defer, SlipKind::flush)),
        set(&Slip::where, below<std::uint16_t>(10'000)));
}

}  // namespace

rc::Gen<Draft> random_drafts() {
    using rc::gen::set;
    const auto depth = [] { return rc::gen::weightedElement<std::uint32_t>({{6, 64}, {1, 8}, {1, 3}, {1, 1}}); };
    return rc::gen::build<Draft>(
        set(&Draft::infiniband, one_in(3)),
        set(&Draft::apis, both(rc::gen::weightedElement<std::uint8_t>({{4, 0}, {1, 1}, {1, 2}}))),
        set(&Draft::overflows, both(rc::gen::weightedElement<std::uint8_t>({{4, 0}, {1, 1}, {1, 2}, {1, 3}}))),
        set(&Draft::slow, both(rc::gen::oneOf(rc::gen::just<std::uint8_t>(0), rc::gen::just<std::uint8_t>(0),
                                              below<std::uint8_t>(kSlows)))),
        set(&Draft::rnr_retry, rc::gen::element(0U, 6U, 7U)), set(&Draft::sq_depths, both(depth())),
        set(&Draft::rq_depths, both(depth())),
        set(&Draft::cq_depths, both(rc::gen::weightedElement<std::uint32_t>({{6, 1024}, {1, 16}, {1, 3}, {1, 1}}))),
        set(&Draft::shares_cq, one_in(5)), set(&Draft::disconnects, one_in(4)), set(&Draft::connects, one_in(6)),
        set(&Draft::expects, one_in(3)), set(&Draft::shares_receives, both(one_in(8))),
        set(&Draft::ahead,
            rc::gen::map(below<std::uint8_t>(4), [](std::uint8_t n) { return static_cast<std::uint8_t>(n + 1); })),
        set(&Draft::pause, rc::gen::weightedElement<std::uint32_t>({{8, 200}, {1, 1}, {1, 5}, {1, 10}})),
        set(&Draft::exchanges, list_of(8, exchange())), set(&Draft::slips, list_of(3, slip())));
}

}  // namespace ndsim::test
