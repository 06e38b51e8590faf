// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/enlarge.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

namespace ndsim::advise::enlarge_test {

// A send queue of at most 4096 requests, of which 256 are thought to be more than enough.
std::vector<Dimension> queue() {
    Dimension queue;
    queue.name = "A SQ";
    queue.settings = {{"hosts.A.nic.sq.depth", 1, 4096}};
    queue.generous = 256;
    queue.host_bytes = 64;
    return {queue};
}

Trial trial(std::uint64_t share_ppm, const std::string& limit) {
    Trial trial;
    trial.judgement.verdict = share_ppm >= 1'000'000 ? Verdict::met : Verdict::missed;
    trial.judgement.worst_ppm = share_ppm;
    trial.limits = {{limit, limit, "", false}};
    return trial;
}

bool always(const Dimension&, std::uint64_t) {
    return true;
}

const char* const kQueue = "hosts.A.nic.sq.depth";

TEST_CASE("enlarge: a queue that limits is doubled until the target is met") {
    std::vector<Dimension> all = queue();
    // Each of them brings as much as the others.
    enlarge(all, always, [&] { return trial(all[0].generous * 1000, kQueue); });
    CHECK(all[0].generous == 1024);
}

TEST_CASE("enlarge: nothing is doubled if the target is met, or if that brings nothing") {
    std::vector<Dimension> all = queue();
    enlarge(all, always, [] { return trial(1'000'000, kQueue); });
    CHECK(all[0].generous == 256);
    enlarge(all, always, [] { return trial(500'000, "links.l0.rate"); });
    CHECK(all[0].generous == 256);
    all[0].breaks = Break::overrun;  // completion queues follow the others
    enlarge(all, always, [&] { return trial(all[0].generous, kQueue); });
    CHECK(all[0].generous == 256);
}

// A core that is busy for 95 % of the time seems to be the limit of a window that just covers the way.
TEST_CASE("enlarge: all queues are doubled if something else seems to limit, one if it does by name") {
    std::vector<Dimension> all = queue();
    all.push_back(all.front());
    all[1].settings = {{"hosts.B.nic.rq.depth", 1, 32768}};
    all[1].generous = 512;
    std::vector<Dimension> named = all;
    const auto rate_of = [](const std::vector<Dimension>& of) { return of[0].generous * 2000; };
    enlarge(all, always, [&] { return trial(rate_of(all), "hosts.A.cpu.mmio_uc"); });
    CHECK((all[0].generous == 512 && all[1].generous == 1024));
    enlarge(named, always, [&] { return trial(rate_of(named), kQueue); });
    CHECK((named[0].generous == 512 && named[1].generous == 512));
}

TEST_CASE("enlarge: all queues are doubled if the one that limits by name brings nothing") {
    std::vector<Dimension> all = queue();
    all.push_back(all.front());
    all[1].settings = {{"hosts.B.nic.rq.depth", 1, 32768}};
    // The receives are what is needed, whatever is named.
    enlarge(all, always, [&] { return trial(all[1].generous * 2000, kQueue); });
    CHECK((all[0].generous == 1024 && all[1].generous == 512));
}

TEST_CASE("enlarge: up to the largest that brings something, and that can be had") {
    std::vector<Dimension> all = queue();
    const auto up_to_600 = [&] { return trial(std::min<std::uint64_t>(all[0].generous, 600) * 1000, kQueue); };
    enlarge(all, always, up_to_600);
    CHECK(all[0].generous == 1024);  // 600 of 1024; 2048 bring no more

    all = queue();
    enlarge(
        all, [](const Dimension&, std::uint64_t depth) { return depth <= 512; }, up_to_600);
    CHECK(all[0].generous == 512);

    all = queue();
    enlarge(all, always, [&] { return trial(all[0].generous, kQueue); });
    CHECK(all[0].generous == 4096);  // the maximum of the parameter
}

// Receives that run out: how many more are needed does not show before there are enough.
TEST_CASE("enlarge: what must not happen at all is tried with up to eight times as many") {
    const auto enough = [](std::uint64_t depth) {
        std::vector<Dimension> all = queue();
        enlarge(all, always, [&] {
            Trial missed = trial(UINT64_MAX, kQueue);
            missed.judgement.verdict = all[0].generous >= depth ? Verdict::met : Verdict::missed;
            return missed;
        });
        return all[0].generous;
    };
    CHECK(enough(2000) == 2048);
    CHECK(enough(2049) == 256);
}

}  // namespace ndsim::advise::enlarge_test
