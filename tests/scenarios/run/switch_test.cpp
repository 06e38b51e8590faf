// SPDX-License-Identifier: Apache-2.0

#include <sstream>

#include "models/ledger/ledger.hpp"
#include "tests/scenarios/record/capture_support.hpp"
#include "tests/scenarios/run/incast.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::switch_test {

// Messages one at a time from A to B, over a cable or through a switch.
std::string one_at_a_time(const std::string& traffic, const std::string& network) {
    return R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "count": 50, "window": 1, )" +
           traffic + "}}" + network + "}";
}

constexpr std::uint64_t kFlight = 30'000 + 2 * 5'000 + 62'000;
constexpr std::uint64_t kLatency = 333'000;
constexpr std::uint64_t w(std::uint64_t bytes) {
    return bytes * 80;
}

// A Send of 2 bytes has 86 on the lane (2 + 2 of pad + 82), 84 of them no payload; its ACK 86, none of them payload.
TEST_CASE("switch: what it adds to the latency of a small message", "[formula]") {
    const std::string traffic = R"("size": "2 B", "inline": true)";
    const ChildResult direct = finish_text(one_at_a_time(traffic, ""));
    const ChildResult cut = finish_text(one_at_a_time(traffic, R"(, "switches": {"s0": {}})"));
    CHECK(cut.metric("traffic.t.delivery.min") == direct.metric("traffic.t.delivery.min") + w(84) + kFlight + kLatency);
    CHECK_FALSE(cut.metrics.contains("ledger.A.send.longest.switch"));  // nothing is before it in the queue
    CHECK(cut.metric("traffic.t.latency.min") ==
          direct.metric("traffic.t.latency.min") + w(84) + w(86) + 2 * (kFlight + kLatency));
    const ChildResult stored =
        finish_text(one_at_a_time(traffic, R"(, "switches": {"s0": {"forwarding": "store_and_forward"}})"));
    CHECK(stored.metric("traffic.t.delivery.min") ==
          direct.metric("traffic.t.delivery.min") + w(86) + kFlight + kLatency);
    CHECK(stored.metric("traffic.t.latency.min") ==
          direct.metric("traffic.t.latency.min") + 2 * (w(86) + kFlight + kLatency));
}

// 4096 bytes in one packet, 4178 on the lane.
TEST_CASE("switch: what two of them add to the latency of a packet of 4096 bytes", "[formula]") {
    const std::string links = R"(, "links": {"a": {"between": ["A", "s0"]}, "x": {"between": ["s0", "s1"]},
                                             "b": {"between": ["s1", "B"]}})";
    const std::uint64_t direct = finish_text(one_at_a_time(R"("size": "4 KiB")", "")).metric("traffic.t.delivery.min");
    const ChildResult cut = finish_text(
        one_at_a_time(R"("size": "4 KiB")", R"(, "switches": {"s0": {}, "s1": {"latency": "1 us"}})" + links));
    CHECK(cut.metric("traffic.t.delivery.min") == direct + 2 * (w(82) + kFlight) + kLatency + 1'000'000);
    const ChildResult stored = finish_text(one_at_a_time(
        R"("size": "4 KiB")", R"(, "switches": {"s0": {"forwarding": "store_and_forward"}, "s1": {}})" + links));
    CHECK(stored.metric("traffic.t.delivery.min") == direct + w(4178) + w(82) + 2 * (kFlight + kLatency));
    CHECK(stored.metric("s0.s1.packets") == stored.metric("x_s0_to_s1.packets"));
    CHECK(stored.metric("s1.s0.packets") == stored.metric("x_s1_to_s0.packets"));
}

// Four senders begin in the same picosecond, each with one message of one packet at a time: their first packets come to
// the queue together, that of S1 first, as its port is behind R's. The n-th waits for n - 1 of 334.24 ns. From then on
// they are so far apart that none waits.
TEST_CASE("switch: senders in step wait for those before them, in the account switch", "[formula]") {
    Incast incast(4);
    incast.count = 5;
    const ChildResult run =
        finish_text(incast.text(), {"traffic.t1.window=1", "traffic.t2.window=1", "traffic.t3.window=1",
                                    "traffic.t4.window=1", "measure.warmup=0"});
    CHECK_FALSE(run.metrics.contains("ledger.S1.send.longest.switch"));
    CHECK(run.metric("ledger.S2.send.longest.switch") == w(4178));
    CHECK(run.metric("ledger.S3.send.longest.switch") == 2 * w(4178));
    CHECK(run.metric("ledger.S4.send.longest.switch") == 3 * w(4178));
}

// Of 4178 bytes on the lane 4096 are payload. In the measured windows the port towards R never rests.
TEST_CASE("switch: senders into one port have its rate together, and equal shares of it") {
    for (const std::size_t senders : {4U, 16U}) {
        INFO(senders << " senders");
        Incast incast(senders);
        incast.size = "16 KiB";
        incast.count = 400 * 4 / senders + 100;
        const ChildResult run = finish_text(incast.text());
        const std::uint64_t share = 100'000'000'000 / senders * 4096 / 4178;
        std::uint64_t sum = 0;
        for (std::size_t i = 1; i <= senders; ++i) {
            const std::uint64_t goodput = run.metric(fmt::format("traffic.t{}.goodput", i));
            INFO("sender " << i);
            CHECK(goodput > share * 99 / 100);
            CHECK(goodput < share * 101 / 100);
            sum += goodput;
        }
        CHECK(sum > share * senders * 998 / 1000);
        CHECK(sum < share * senders * 1002 / 1000);
        CHECK(run.metric("s0.R.drops") == 0);
        REQUIRE_FALSE(run.limits.empty());
        CHECK(run.limits[0].kind == "wire");
        CHECK(run.limits[0].what == fmt::format("l{}_s0_to_R", senders));
        CHECK(run.limits[0].binds);
        CHECK(run.limits[0].parameter == fmt::format("links.l{}.rate", senders));
        CHECK(run.limits[0].share_ppm > 995'000);
    }
}

// Of 4122 bytes on the lane 4096 are payload. What pauses the senders is counted in the same bytes.
TEST_CASE("switch: InfiniBand on all links of a switch, with pauses") {
    Incast incast(4);
    incast.size = "64 KiB";
    incast.count = 100;
    incast.at_switch = R"("pause": true, "buffer": "1 MiB")";
    const ChildResult run = finish_text(incast.text(), {"link.framing=infiniband"});
    // While all are measured the port towards R never rests.
    std::uint64_t sum = 0;
    for (const std::string sender : {"t1", "t2", "t3", "t4"}) {
        sum += run.metric("traffic." + sender + ".shared_goodput");
    }
    CHECK(static_cast<double>(sum) == Catch::Approx(100e9 * 4096 / 4122).epsilon(0.002));
    CHECK(run.metric("s0.R.drops") == 0);
    CHECK(run.metric("s0.S1.pauses") > 0);
}

TEST_CASE("switch: what it drops is sent again, and all of it arrives") {
    // 3 x 1 MiB at once through 64 KiB: each sender's random bytes are in its receiver's buffer at the end.
    std::string hosts;
    std::string programs;
    std::string receives;
    std::string buffers;
    std::string polls;
    std::string expect;
    for (const char name : {'a', 'b', 'c'}) {
        hosts += fmt::format(
            R"("S{0}": {{"nic": {{"timeout_code": 5}}, "buffers": {{"tx": {{"size": "1 MiB", "fill": "random"}}}},
                                 "qps": {{"{0}": {{"connect": "R.{0}"}}}}}}, )",
            name);
        programs +=
            fmt::format(R"("S{0}": [{{"sleep": "50 us"}}, {{"post": "send", "qp": "{0}", "buffer": "tx", "as": "s"}},
                                             {{"poll": "{0}.send"}}], )",
                        name);
        buffers += fmt::format(R"({}"{}": {{"size": "1 MiB"}})", buffers.empty() ? "" : ", ", name);
        receives += fmt::format(R"({{"post": "receive", "qp": "{0}", "buffer": "{0}"}}, )", name);
        polls += fmt::format(R"({}{{"poll": "{}.receive"}})", polls.empty() ? "" : ", ", name);
        expect += fmt::format(
            R"({{"completion": "S{0}.s", "status": "success"}}, {{"memory": "R.{0}", "equals": "S{0}.tx"}}, )", name);
    }
    const ChildResult run = finish_text("{\"hosts\": {" + hosts + R"("R": {"buffers": {)" + buffers +
                                        R"(}}}, "switches": {"s0": {"buffer": "64 KiB"}},
         "programs": {)" + programs + R"("R": [)" +
                                        receives + polls + R"(]}, "expect": [)" + expect +
                                        R"({"metric": "s0.R.drops", "at_least": 1}]})");
    CHECK(run.metric("s0.buffer.high_water") <= 65'536);
    CHECK(run.metric("s0.buffer.high_water") > 65'536 - 4'178);
}

TEST_CASE("switch: with pause frames nothing is dropped, and the rate is whole") {
    Incast incast(8);
    incast.size = "64 KiB";
    incast.count = 60;
    incast.at_switch = R"("pause": true, "buffer": "1 MiB")";
    const ChildResult run = finish_text(incast.text());
    CHECK(run.metric("s0.R.drops") == 0);
    CHECK(run.metric("s0.S1.pauses") > 0);
    CHECK(run.metric("S1.nic.tx.paused") > 0);
    CHECK(run.metric("S1.nic.completer.rewinds") == 0);
    std::uint64_t sum = 0;
    for (std::size_t i = 1; i <= 8; ++i) {
        sum += run.metric(fmt::format("traffic.t{}.goodput", i));
    }
    CHECK(sum > 97'500'000'000);
}

// R takes in 25 Gbps at most: its pause frames hold the port of the switch.
TEST_CASE("switch: a receiver that cannot keep up holds the port, and nothing overflows") {
    Incast incast(4);
    incast.size = "64 KiB";
    incast.count = 40;
    const ChildResult run = finish_text(incast.text(), {"hosts.R.pcie.width=4"});
    CHECK(run.metric("R.nic.rx.pauses") > 0);
    CHECK(run.metric("s0.R.paused") > 0);
    CHECK(run.metric("R.nic.rx.overflows") == 0);
    CHECK(run.metric("s0.R.drops") == 0);
}

TEST_CASE("switch: the accounts of every request add up, whatever is dropped or held") {
    for (const std::string at_switch :
         {R"("buffer": "96 KiB")", R"("port_buffer": "64 KiB")", R"("pause": true, "buffer": "1 MiB")"}) {
        INFO(at_switch);
        Incast incast(6);
        incast.size = "32 KiB";
        incast.count = 40;
        incast.at_switch = at_switch;
        RunOptions options;
        options.folder = temporary_folder();
        finish_text(incast.text(), {"hosts.R.pcie.width=8"}, options);
        std::istringstream csv(file_text(options.folder + "/completions.csv"));
        std::string line;
        std::getline(csv, line);
        std::size_t rows = 0;
        while (std::getline(csv, line)) {
            std::vector<std::int64_t> numbers;
            std::istringstream cells(line);
            for (std::string cell; std::getline(cells, cell, ',');) {
                numbers.push_back(numbers.size() < 6 || numbers.size() >= 9 + kAccounts ? 0 : std::stoll(cell));
            }
            std::int64_t sum = 0;
            for (std::size_t i = 9; i < numbers.size(); ++i) {
                sum += numbers[i];
            }
            REQUIRE(sum == numbers[8]);
            REQUIRE(sum == numbers[7] - numbers[6]);
            ++rows;
        }
        CHECK(rows == 2 * 6 * 40);
    }
}

TEST_CASE("switch: faults of packets on their way to it and from it") {
    Incast incast(2);
    incast.size = "16 KiB";
    incast.count = 50;
    incast.more = R"(, "faults": [{"drop": "S1", "packet": 9}, {"corrupt": "s0", "link": "l2", "packet": 30},
                                  {"drop": "s0", "link": "l1", "opcode": "ACK", "packet": 3},
                                  {"down": "l0", "from": "180 us", "until": "190 us"}])";
    const ChildResult run = finish_text(incast.text());
    CHECK(run.metric("l0_S1_to_s0_faults.drop") > 1);
    CHECK(run.metric("l2_s0_to_R_faults.corrupt") == 1);
    CHECK(run.metric("l1_s0_to_S2_faults.drop") == 1);
    CHECK(run.metric("R.nic.rx.damaged") == 1);
    CHECK(run.metric("traffic.t1.messages") == 50);
    CHECK(run.metric("traffic.t2.messages") == 50);
}

TEST_CASE("switch: two runs of an incast with drops give the same bytes in every output") {
    Incast incast(4);
    incast.size = "16 KiB";
    incast.count = 30;
    incast.at_switch = R"("buffer": "48 KiB")";
    incast.more = R"(, "outputs": {"waves": true, "packets": true})";
    RunOptions first;
    RunOptions second;
    first.folder = temporary_folder();
    second.folder = temporary_folder();
    const ChildResult run = finish_text(incast.text(), {}, first);
    CHECK(run.metric("s0.R.drops") > 0);
    CHECK(finish_text(incast.text(), {}, second).metrics == run.metrics);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(first.folder)) {
        if (entry.is_regular_file()) {
            const std::string name = std::filesystem::relative(entry.path(), first.folder);
            INFO(name);
            CHECK((file_text(entry.path()) == file_text(second.folder + "/" + name)));
            ++files;
        }
    }
    CHECK(files >= 4);
    const std::string waves = file_text(first.folder + "/waves.vcd");
    CHECK(waves.find("$scope module s0 $end") != std::string::npos);
    CHECK(waves.find(" queue ") != std::string::npos);
}

TEST_CASE("switch: a packet is seen at each port on its way, with its hosts' addresses") {
    Incast incast(2);
    incast.size = "64 B";
    incast.count = 1;
    incast.more = R"(, "outputs": {"packets": true})";
    RunOptions options;
    options.folder = temporary_folder();
    finish_text(incast.text(), {}, options);
    std::vector<ReadPacket> seen;
    for (ReadPacket& packet : read_packets(file_text(options.folder + "/packets.pcapng"))) {
        if (packet.comment.starts_with("request S2.") && packet.frame.size() > 64) {
            seen.push_back(std::move(packet));
        }
    }
    // Interfaces: S1, S2, R, s0.S1, s0.S2, s0.R. Out of S2, in at s0.S2, out of s0.R, in at R.
    REQUIRE(seen.size() == 4);
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> ports{{1, 2}, {4, 1}, {5, 2}, {2, 1}};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(std::pair{seen[i].interface, seen[i].flags} == ports[i]);
        CHECK(seen[i].frame == seen[0].frame);
        CHECK(seen[i].id == seen[0].id);
    }
    CHECK(seen[0].frame.substr(3, 2) == std::string("\x00\x02", 2));  // to host 2
    CHECK(seen[0].frame.substr(9, 2) == std::string("\x00\x01", 2));  // from host 1
}

}  // namespace ndsim::test::switch_test
