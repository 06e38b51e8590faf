// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "tests/support/catch.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/limits_text.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli::text_test {

using namespace std::chrono_literals;

TEST_CASE("figures have four significant digits") {
    CHECK(rounded("85.56544 us") == "85.57 us");
    CHECK(rounded("2.711417 us") == "2.711 us");
    CHECK(rounded("120 ns") == "120 ns");
    CHECK(rounded("186.982 k/s") == "187 k/s");
    CHECK(rounded("9.99951 us") == "10 us");       // carries
    CHECK(rounded("1234.5 Gbps") == "1235 Gbps");  // whole numbers stay
    CHECK(rounded("36264 B") == "36264 B");
    CHECK(rounded("3") == "3");
    CHECK(rounded("success, after 2.592417 us") == "success, after 2.592417 us");  // no figure, but a text with one
    CHECK(figure(Picoseconds{1'207'655'677}) == "1.208 ms");
    CHECK(microseconds(Picoseconds{12'345'499}) == "12.345");
    CHECK(microseconds(Picoseconds{12'345'500}) == "12.346");
}

TEST_CASE("figures rounded together add up") {
    // 0.5 + 0.5 + 0.5 + 1.4 = 2.9, rounded 3; each for itself would give 1 + 1 + 1 + 1.
    const std::array<std::uint64_t, 4> values{50, 50, 50, 140};
    CHECK(rounded_to_sum(values, 100) == std::vector<std::uint64_t>{1, 0, 1, 1});
    CHECK(decimal(1234, 2) == "12.34");
    CHECK(decimal(5, 1) == "0.5");
    CHECK(decimal(5, 0) == "5");
    CHECK(percent(1, 3) == "33.3");
    // A third each would be 33.3 + 33.3 + 33.3.
    CHECK(shares_to_sum(std::array<std::uint64_t, 3>{1, 1, 1}) == std::vector<std::uint64_t>{333, 334, 333});
    CHECK(shares_to_sum(std::array<std::uint64_t, 1>{0}) == std::vector<std::uint64_t>{0});
    CHECK(signed_decimal(-15, 1) == "-1.5");
    CHECK(signed_decimal(15, 1) == "+1.5");
    CHECK(signed_decimal(0, 1) == "0.0");
    CHECK(percent(1, 0) == "0.0");
}

TEST_CASE("table: columns are as wide as their widest cell, without blanks at the end") {
    Table table({Align::left, Align::right, Align::left});
    table.heading({"", "n", "what"});
    table.row({"a", "100", "x"});
    table.row({"bcd", "7"});
    CHECK(table.text(Paint(std::fopen("/dev/null", "r"))) ==
          "         n  what\n"
          "  a    100  x\n"
          "  bcd    7\n");
}

TEST_CASE("limits tried: beside a generator's own change stands that of all together") {
    LimitProofs proofs;
    proofs.limits = {{"traffic.c.window"}, {"links.l0.rate"}};
    proofs.limits[0].change = Change{109'000, 294'000};
    proofs.limits[0].goodput_of_all = -116'000;
    proofs.limits[1].change = Change{0, 0};
    proofs.limits[1].verdict = LimitVerdict::no_gain;
    const std::string text = proofs_text(proofs, Paint(std::fopen("/dev/null", "r")));
    CHECK(text.find("+10.9 %       +29.4 %  proved; all generators together -11.6 %\n") != std::string::npos);
    CHECK(text.find("0.0 %         0.0 %  no gain\n") != std::string::npos);
}

TEST_CASE("bound by: what is not proved is left out, and what is not proved alone says with what") {
    const auto limit = [](const std::string& path) {
        return Limit{LimitKind::pool, path, 200'000, true, {path, "1", {}, LimitBasis::chosen}, {}};
    };
    const std::vector<Limit> limits{limit("nic.a"), limit("nic.b"), limit("nic.c"), limit("nic.d")};
    LimitProofs proofs;
    proofs.limits = {{"nic.a"}, {"nic.b"}, {"nic.c"}};
    proofs.limits[0].verdict = LimitVerdict::not_proved;
    proofs.limits[1].verdict = LimitVerdict::shared;
    proofs.limits[1].with = {"nic.x", "nic.y"};
    proofs.limits[2].verdict = LimitVerdict::proved_together;
    proofs.limits[2].with = {"nic.x"};
    const Paint plain(std::fopen("/dev/null", "r"));
    CHECK(bound_text(limits, AlikeHosts(), &proofs, plain) ==
          "\nBound by\n"
          "  pool: nic.b  full or waited for  20.0 %  nic.b = 1  chosen  shared with nic.x, nic.y\n"
          "  pool: nic.c  full or waited for  20.0 %  nic.c = 1  chosen  only together with nic.x\n"
          "  pool: nic.d  full or waited for  20.0 %  nic.d = 1  chosen\n");
    CHECK(bound_text({limit("nic.a")}, AlikeHosts(), &proofs, plain) == "\nBound by: no limit is proved\n");
    CHECK(bound_text({}, AlikeHosts(), &proofs, plain) == "\nBound by: nothing that was full or busy for long\n");
    CHECK(bound_text({limit("nic.a")}, AlikeHosts(), nullptr, plain).find("nic.a = 1") != std::string::npos);
}

TEST_CASE("bound by: limits of alike things with one value share a row") {
    const auto window = [](const std::string& generator, std::uint64_t share, const std::string& value) {
        return Limit{LimitKind::window,
                     "traffic " + generator,
                     share,
                     true,
                     {"traffic." + generator + ".window", value, {}, LimitBasis::chosen},
                     {}};
    };
    const std::vector<Limit> limits{window("a", 300'000, "4"), window("b", 250'000, "8"), window("c", 200'000, "4"),
                                    window("d", 100'000, "4")};
    const AlikeHosts alike(AlikeHosts::Names{
        {"traffic a", "alike traffic a"}, {"traffic b", "alike traffic a"}, {"traffic c", "alike traffic a"}});
    CHECK(bound_text(limits, alike, nullptr, Paint(std::fopen("/dev/null", "r"))) ==
          "\nBound by\n"
          "  window: traffic a .. traffic c (2 alike)  full  20.0 .. 30.0 %  traffic.a.window .. traffic.c.window = 4  "
          "chosen\n"
          "  window: traffic b                         full          25.0 %  traffic.b.window = 8                      "
          "chosen\n"
          "  window: traffic d                         full          10.0 %  traffic.d.window = 4                      "
          "chosen\n");
}

TEST_CASE("progress: a line tells part, remaining time, messages, rate and simulated time") {
    // 250 of 1000 messages in 2 s: 125 a second, so the other 750 take 6 s.
    CHECK(progress_line("run", {5us, 250, 1000}, 2.0, 200) ==
          "run  [=====               ] 25.0 %, ETA 0:00:06, 250/1000 messages, 125 /s, 5 us simulated");
    CHECK(progress_line("run", {5us, 250, 1000, "transfers"}, 2.0, 200).find("250/1000 transfers") !=
          std::string::npos);
    CHECK(progress_line("run", {5us, 250, 1000}, 2.0, 20) == "run  [=====         ");
    // Nobody knows how much there is to do.
    CHECK(progress_line("run", {5us, 0, 0}, 2.0, 200) == "run  5 us simulated");
    // 10^12 messages at 10^6 a second are 10^6 s = 11 d 13:46:40.
    CHECK(progress_line("run", {5us, 0, 1'000'000'000'000}, 1.0, 200).find("ETA unknown") != std::string::npos);
    CHECK(progress_line("run", {5us, 1'000'000, 1'000'001'000'000}, 1.0, 200).find("ETA 11 d 13:46:40") !=
          std::string::npos);
}

}  // namespace ndsim::cli::text_test
