// SPDX-License-Identifier: Apache-2.0
#include "sim/config/params.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

namespace ndsim::test::params_test {

using namespace std::chrono_literals;

enum class OverflowPolicy : std::uint8_t { backpressure, coalesce, drop_recover };
constexpr std::array<std::string_view, 3> kOverflowNames{"backpressure", "coalesce", "drop_recover"};

struct RingParams {
    std::uint32_t depth = 64;
    bool inline_data = true;

    template <class Field>
    void fields(Field&& field) {
        field("depth", depth, between(1U, 32'768U), "requests that it holds", Mark::documented);
        field("inline_data", inline_data, "data may be in the entry", Mark::memory);
    }
};

struct NicParams {
    std::uint32_t fifo_depth = 64;
    std::uint64_t messages = 1;
    Picoseconds decode = 70ns;
    Bytes mps = 256_B;
    Bandwidth rate = 100_Gbps;
    Frequency per_qp_rate = 6_Mps;
    Fraction loss{0};
    Length cable{2'000};
    OverflowPolicy overflow = OverflowPolicy::backpressure;
    RingParams sq;

    template <class Field>
    void fields(Field&& field) {
        field("fifo_depth", fifo_depth, between(1U, 65'536U), "doorbells that wait to be decoded", Mark::estimate);
        field("messages", messages, between(0U, std::uint64_t{1'000'000'000'000}), "how many", Mark::seen);
        field("decode", decode, between(0ns, 1ms), "from the FIFO's head to the scheduler", Mark::derived);
        field("mps", mps, powers_of_two(128_B, 4_KiB), "largest payload", Mark::seen);
        field("rate", rate, between(Bandwidth{1}, 1600_Gbps), "line rate", Mark::seen);
        field("per_qp_rate", per_qp_rate, between(Frequency{1}, 1000_Mps), "requests of one QP", Mark::seen);
        field("loss", loss, between(0_percent, 100_percent), "packets lost", Mark::estimate);
        field("cable", cable, between(Length{0}, Length{100'000'000}), "cable", Mark::seen);
        field("overflow", overflow, kOverflowNames, "what happens when the FIFO is full", Mark::documented);
        field("sq", sq, "the send queue");
    }
};

constexpr std::array<std::string_view, 1> kAuto{"auto"};

struct WindowParams {
    std::optional<std::uint64_t> warmup;

    template <class Field>
    void fields(Field&& field) {
        field("warmup", warmup, kAuto, between(std::uint64_t{0}, std::uint64_t{100}), "how many", Mark::documented);
    }
};

JsonNode json(std::string_view text) {
    Problems problems("f");
    auto node = parse_json(text, problems);
    REQUIRE(node);
    return *node;
}

// What is said about this JSON text as the value of "nic".
std::string refusals(std::string_view text, NicParams& params) {
    Problems problems("f");
    read_params(params, json(text), "nic", problems);
    return problems.text();
}
std::string refusals(std::string_view text) {
    NicParams params;
    return refusals(text, params);
}

Param& find(std::vector<Param>& params, std::string_view path) {
    for (Param& param : params) {
        if (param.path() == path) {
            return param;
        }
    }
    throw std::out_of_range(std::string(path));
}

TEST_CASE("params: the list of a struct tells everything about its members") {
    NicParams nic;
    std::vector<Param> params = params_of(nic, "nic");
    std::string table;
    for (const Param& param : params) {
        table += param.path() + "|" + std::string(param.type()) + "|" + param.low() + "|" + param.high() + "|" +
                 param.current() + "|" + std::string(word(param.mark())) + "|" + std::string(param.section()) + "\n";
    }
    CHECK(table ==
          "nic.fifo_depth|count|1|65536|64|estimate|\n"
          "nic.messages|count|0|1000000000000|1|seen|\n"
          "nic.decode|time|0 ps|1 ms|70 ns|derived|\n"
          "nic.mps|size|128 B|4 KiB|256 B|seen|\n"
          "nic.rate|rate|1 bps|1.6 Tbps|100 Gbps|seen|\n"
          "nic.per_qp_rate|frequency|1 /s|1 G/s|6 M/s|seen|\n"
          "nic.loss|fraction|0 ppm|100 %|0 ppm|estimate|\n"
          "nic.cable|length|0 mm|100 km|2 m|seen|\n"
          "nic.overflow|choice|backpressure|drop_recover|backpressure|documented|\n"
          "nic.sq.depth|count|1|32768|64|documented|the send queue\n"
          "nic.sq.inline_data|flag|false|true|true|memory|the send queue\n");
    const Param& overflow = find(params, "nic.overflow");
    CHECK(overflow.sentence() == "what happens when the FIFO is full");
    CHECK(std::vector(overflow.choices().begin(), overflow.choices().end()) ==
          std::vector(kOverflowNames.begin(), kOverflowNames.end()));
    CHECK(overflow.written_as() == JsonKind::string);
    CHECK(find(params, "nic.sq.inline_data").written_as() == JsonKind::boolean);
    CHECK(find(params, "nic.sq.depth").written_as() == JsonKind::integer);
    CHECK(find(params, "nic.mps").takes_powers_of_two());
    CHECK_FALSE(find(params, "nic.sq.depth").takes_powers_of_two());
    CHECK(params_of(nic, "").back().path() == "sq.inline_data");
}

TEST_CASE("params: a word may stand for a count that is left to the simulator") {
    WindowParams window;
    std::vector<Param> params = params_of(window, "");
    Param& warmup = params.front();
    CHECK(warmup.current() == "auto");
    CHECK(warmup.type() == "count");
    CHECK(warmup.high() == "100");
    CHECK_FALSE(warmup.set("0"));
    CHECK(window.warmup == 0U);
    CHECK(warmup.current() == "0");
    CHECK_FALSE(warmup.set(json(R"("auto")")));
    CHECK_FALSE(window.warmup);
    CHECK_FALSE(warmup.set(json("100")));
    CHECK(window.warmup == 100U);
    CHECK_FALSE(warmup.set("auto"));
    CHECK_FALSE(window.warmup);
    CHECK(warmup.set("atuo") == R"(expected a whole number or "auto", got "atuo")");
    CHECK(warmup.set(json(R"("5")")) == R"(expected a whole number or "auto", got "5")");
    CHECK(warmup.set("101") == "expected 0 .. 100, got 101");
    CHECK(warmup.set("18446744073709551615") == "expected 0 .. 100, got 18446744073709551615");
}

TEST_CASE("params: a JSON object sets what it names, and only that") {
    NicParams nic;
    CHECK(refusals(R"({"fifo_depth": 65536, "messages": 1000000000000, "decode": "1.5 us", "mps": "4 KiB",
                       "rate": "25.78125 Gbps", "per_qp_rate": "2.5 k/s", "loss": "0.05 %", "cable": "100 m",
                       "overflow": "drop_recover", "sq": {"inline_data": false}})",
                   nic)
              .empty());
    CHECK(nic.fifo_depth == 65'536);
    CHECK(nic.messages == 1'000'000'000'000U);
    CHECK(nic.decode == 1500ns);
    CHECK(nic.mps == 4_KiB);
    CHECK(nic.rate == Bandwidth{25'781'250'000U});
    CHECK(nic.per_qp_rate == Frequency{2'500});
    CHECK(nic.loss == Fraction{500});
    CHECK(nic.cable == Length{100'000});
    CHECK(nic.overflow == OverflowPolicy::drop_recover);
    CHECK_FALSE(nic.sq.inline_data);
    CHECK(nic.sq.depth == 64);
}

TEST_CASE("params: unknown keys are refused, with the nearest known one") {
    CHECK(refusals(R"({"sq": {"dept": 4}})") == "f:1:9: nic.sq: unknown key \"dept\"; did you mean \"depth\"?");
    CHECK(refusals(R"({"sq": {"colour": 4}})") ==
          "f:1:9: nic.sq: unknown key \"colour\" (known are depth, inline_data)");
    CHECK(refusals(R"({"sq.depth": 4})").starts_with("f:1:2: nic: unknown key \"sq.depth\""));
    CHECK(refusals(R"({"": 4})").starts_with("f:1:2: nic: unknown key \"\""));
}

TEST_CASE("params: wrong types are refused") {
    CHECK(refusals(R"({"fifo_depth": "64"})") == "f:1:16: nic.fifo_depth: expected a whole number, got \"64\"");
    CHECK(refusals(R"({"fifo_depth": 1.5})") == "f:1:16: nic.fifo_depth: expected a whole number, got 1.5");
    CHECK(refusals(R"({"fifo_depth": 1e3})") == "f:1:16: nic.fifo_depth: expected a whole number, got 1e3");
    CHECK(refusals(R"({"fifo_depth": null})") == "f:1:16: nic.fifo_depth: expected a whole number, got null");
    CHECK(refusals(R"({"fifo_depth": {}})") == "f:1:16: nic.fifo_depth: expected a whole number, got an object");
    CHECK(refusals(R"({"rate": 400})") ==
          "f:1:10: nic.rate: expected a number and a unit, such as \"1 Gbps\", got 400");
    CHECK(refusals(R"({"rate": "400"})") ==
          "f:1:10: nic.rate: expected a number and a unit, such as \"1 Gbps\", got \"400\"");
    CHECK(refusals(R"({"rate": ["1 Gbps"]})") ==
          "f:1:10: nic.rate: expected a number and a unit, such as \"1 Gbps\", got a list");
    CHECK(refusals(R"({"overflow": "stop"})") ==
          "f:1:14: nic.overflow: expected one of \"backpressure\", \"coalesce\", \"drop_recover\", got \"stop\"");
    CHECK(refusals(R"({"overflow": 1})") ==
          "f:1:14: nic.overflow: expected one of \"backpressure\", \"coalesce\", \"drop_recover\", got 1");
    CHECK(refusals(R"({"sq": {"inline_data": "true"}})") ==
          "f:1:24: nic.sq.inline_data: expected true or false, got \"true\"");
    CHECK(refusals(R"({"sq": 5})") == "f:1:8: nic.sq: expected an object, got 5");
    CHECK(refusals(R"([])") == "f:1:1: nic: expected an object, got a list");
}

TEST_CASE("params: wrong units are refused") {
    CHECK(refusals(R"({"mps": "4 kB"})").starts_with("f:1:9: nic.mps: unknown unit \"kB\"; KiB is 1024"));
    CHECK(refusals(R"({"decode": "4 KiB"})") ==
          "f:1:12: nic.decode: unknown unit \"KiB\"; known are ps, ns, us, ms, s");
}

TEST_CASE("params: values out of range are refused, and the limits are not") {
    CHECK(refusals(R"({"fifo_depth": 1})").empty());
    CHECK(refusals(R"({"fifo_depth": 0})") == "f:1:16: nic.fifo_depth: expected 1 .. 65536, got 0");
    CHECK(refusals(R"({"fifo_depth": 65537})") == "f:1:16: nic.fifo_depth: expected 1 .. 65536, got 65537");
    CHECK(refusals(R"({"fifo_depth": -1})") == "f:1:16: nic.fifo_depth: expected 1 .. 65536, got -1");
    CHECK(refusals(R"({"fifo_depth": 4294967297})") ==
          "f:1:16: nic.fifo_depth: expected 1 .. 65536, got 4294967297");  // 1 in 32 bits
    CHECK(refusals(R"({"fifo_depth": 18446744073709551617})") ==
          "f:1:16: nic.fifo_depth: expected 1 .. 65536, got 18446744073709551617");  // 1 in 64 bits
    CHECK(refusals(R"({"decode": "1 ms"})").empty());
    CHECK(refusals(R"({"decode": "1000000001 ps"})") ==
          "f:1:12: nic.decode: expected 0 ps .. 1 ms, got 1.000000001 ms");
    CHECK(refusals(R"({"mps": "64 B"})") == "f:1:9: nic.mps: expected a power of two, 128 B .. 4 KiB, got 64 B");
    CHECK(refusals(R"({"mps": "129 B"})") == "f:1:9: nic.mps: expected a power of two, 128 B .. 4 KiB, got 129 B");
    CHECK(refusals(R"({"loss": "100.0001 %"})") == "f:1:10: nic.loss: expected 0 ppm .. 100 %, got 100.0001 %");
}

TEST_CASE("params: reading goes on after a problem, and what is wrong changes nothing") {
    NicParams nic;
    CHECK(refusals("{\"fifo_depth\": 0,\n"
                   " \"decode\": 7,\n"
                   " \"sq\": {\"dept\": 1, \"inline_data\": 0, \"depth\": 128},\n"
                   " \"rate\": \"200 Gbps\"}",
                   nic) ==
          "f:1:16: nic.fifo_depth: expected 1 .. 65536, got 0\n"
          "f:2:12: nic.decode: expected a number and a unit, such as \"1 us\", got 7\n"
          "f:3:9: nic.sq: unknown key \"dept\"; did you mean \"depth\"?\n"
          "f:3:35: nic.sq.inline_data: expected true or false, got 0");
    CHECK(nic.fifo_depth == 64);
    CHECK(nic.decode == 70ns);
    CHECK(nic.sq.inline_data);
    CHECK(nic.sq.depth == 128);
    CHECK(nic.rate == 200_Gbps);
}

TEST_CASE("params: keys that the caller reads by itself are left alone, but known") {
    constexpr std::array<std::string_view, 1> kOwn{"preset"};
    NicParams nic;
    Problems problems("f");
    read_params(nic, json(R"({"preset": "B", "prest": "B", "fifo_depth": 2, "sq": {"preset": 1}})"), "nic", problems,
                kOwn);
    CHECK(problems.text() ==
          "f:1:17: nic: unknown key \"prest\"; did you mean \"preset\"?\n"
          "f:1:55: nic.sq: unknown key \"preset\" (known are depth, inline_data)");
    CHECK(nic.fifo_depth == 2);
}

TEST_CASE("params: text of the command line needs no quotes") {
    NicParams nic;
    std::vector<Param> params = params_of(nic, "nic");
    CHECK_FALSE(find(params, "nic.fifo_depth").set("128"));
    CHECK_FALSE(find(params, "nic.decode").set("350ns"));
    CHECK_FALSE(find(params, "nic.overflow").set("coalesce"));
    CHECK_FALSE(find(params, "nic.sq.inline_data").set("false"));
    CHECK(nic.fifo_depth == 128);
    CHECK(nic.decode == 350ns);
    CHECK(nic.overflow == OverflowPolicy::coalesce);
    CHECK_FALSE(nic.sq.inline_data);

    CHECK(find(params, "nic.fifo_depth").set("many") == "expected a whole number, got \"many\"");
    CHECK(find(params, "nic.fifo_depth").set("") == "expected a whole number, got \"\"");
    CHECK(find(params, "nic.fifo_depth").set("64 ") == "expected a whole number, got \"64 \"");
    CHECK(find(params, "nic.fifo_depth").set("0") == "expected 1 .. 65536, got 0");
    CHECK(find(params, "nic.sq.inline_data").set("1") == "expected true or false, got \"1\"");
}

}  // namespace ndsim::test::params_test
