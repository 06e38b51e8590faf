// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/measurements.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::calibrate::measurements_test {

Measurements read(std::string_view text, TrafficOperation operation = TrafficOperation::send) {
    return read_measurements("m.csv", text, Generator{"t", operation});
}
std::string wrong(std::string_view text, TrafficOperation operation = TrafficOperation::send) {
    try {
        static_cast<void>(read(text, operation));
        return "nothing";
    } catch (const ConfigError& error) {
        return error.what();
    }
}

TEST_CASE("measurements: columns of CSV are parameters, and figures with a unit") {
    const Measurements m = read(
        "\xEF\xBB\xBF# of a Tuesday\n"  // with a byte order mark
        "size, nic.mtu, goodput [Gbps], latency.p50 [us], A.cpu.x [ns]\n"
        "64 B, 1024, 1.5, 2.25,\n"
        "\n"
        "4 KiB, \"4096\", , 3, 0.5\r\n");
    REQUIRE(m.runs.size() == 2);
    CHECK(m.runs[0].overrides == std::vector<std::string>{"traffic.t.size=64 B", "nic.mtu=1024"});
    CHECK(m.runs[1].overrides == std::vector<std::string>{"traffic.t.size=4 KiB", "nic.mtu=4096"});
    CHECK(m.runs[1].at == Position{5, 1});
    REQUIRE(m.figures.size() == 4);  // two cells are empty
    CHECK(m.figures[0].metric == "traffic.t.goodput");
    CHECK(m.figures[0].quantity == Quantity::rate);
    CHECK(m.figures[0].value == 1'500'000'000);  // bit/s
    CHECK(m.figures[1].metric == "traffic.t.latency.p50");
    CHECK(m.figures[1].value == 2'250'000);  // ps
    CHECK(m.figures[2].run == 1);
    CHECK(m.figures[3].metric == "A.cpu.x");
    CHECK(m.figures[3].value == 500);
}

TEST_CASE("measurements: a size may have its unit in the heading, and a cell may be quoted") {
    const Measurements m =
        read("size [KiB],\"programs.A[0].flags\",seed,message_rate [M/s]\n4,\"[\"\"inline\"\"]\",7,2\n");
    CHECK(m.runs[0].overrides ==
          std::vector<std::string>{"traffic.t.size=4 KiB", "programs.A[0].flags=[\"inline\"]", "seed=7"});
    CHECK(m.figures[0].value == 2'000'000);
}

TEST_CASE("measurements: rows and headings that are wrong are told with their place") {
    CHECK(wrong("size,goodput [Gbps]\n64 B\n1 KiB,0\n2 KiB, fast\n") ==
          "m.csv:2:1: expected 2 cells, as the heading has, got 1\n"
          "m.csv:3:7: goodput: expected a number above 0, got \"0\"\n"
          "m.csv:4:8: goodput: expected a number above 0, got \"fast\"");
    CHECK(wrong("size,goodput [apples]\n64 B,1\n") ==
          "m.csv:1:6: goodput: expected a unit of a rate or a time, such as [Gbps], [M/s] or [us], got \"apples\"");
    CHECK(wrong("size,window\n64 B,1\n") ==
          "m.csv:1:1: expected a figure among the columns, with its unit (such as goodput [Gbps] or latency.p50 [us])");
    CHECK(wrong("size,goodput [Gbps],traffic.t.size\n64 B,1,2 B\n") ==
          "m.csv:1:21: traffic.t.size: this column is there twice");
    CHECK(wrong("") ==
          "m.csv: expected a row with a measured figure (such as a heading \"size,goodput [Gbps]\" and a "
          "row \"64 B,1.5\")");
}

constexpr std::string_view kBandwidth = R"(
                    RDMA_Write BW Test
 Dual-port       : OFF          Device         : mlx5_0
 Mtu             : 4096[B]
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
 2          5000             9.54               9.50               4.980736
Conflicting CPU frequency values detected: 800.000000 != 1200.000000. CPU Frequency is not max.
 65536      5000             11000.00           10999.50           0.175992
---------------------------------------------------------------------------------------
 7 is not a row
)";

TEST_CASE("measurements: a table of ib_write_bw is read as it is") {
    const Measurements m = read(kBandwidth, TrafficOperation::write);
    REQUIRE(m.runs.size() == 2);
    CHECK(m.runs[0].overrides == std::vector<std::string>{"traffic.t.size=2 B"});
    CHECK(m.runs[1].overrides == std::vector<std::string>{"traffic.t.size=65536 B"});
    REQUIRE(m.figures.size() == 2);  // the rate of messages says the same
    CHECK(m.figures[0].metric == "traffic.t.goodput");
    CHECK(m.figures[0].value == 79'691'776);      // 9.5 x 2^20 x 8
    CHECK(m.figures[1].value == 92'270'493'696);  // 10999.5 x 2^20 x 8
    CHECK(m.figures[1].at.line == 9);
}

TEST_CASE("measurements: bandwidth in Gb/s, and a rate of messages where no bandwidth is") {
    const Measurements m = read(
        " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
        " 65536      5000             97.50              97.25              0.185490\n");
    REQUIRE(m.figures.size() == 1);
    CHECK(m.figures[0].value == 97'250'000'000);
    const Measurements rates = read(" #bytes #iterations MsgRate[Mpps]\n 2 5000 4.5\n");
    CHECK(rates.figures[0].metric == "traffic.t.message_rate");
    CHECK(rates.figures[0].value == 4'500'000);
}

constexpr std::string_view kTimes =
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% "
    "percentile[usec]   99.9% percentile[usec] \n"
    " 2       1000          1.72           12.01        1.76               1.78           0.05            1.91         "
    "           12.01\n";

TEST_CASE("measurements: the typical time of ib_read_lat is a latency, that of ib_send_lat a delivery") {
    const Measurements reads = read(kTimes, TrafficOperation::read);
    REQUIRE(reads.figures.size() == 1);
    CHECK(reads.figures[0].metric == "traffic.t.latency.p50");
    CHECK(reads.figures[0].value == 1'760'000);
    CHECK(read(kTimes, TrafficOperation::send).figures[0].metric == "traffic.t.delivery.p50");
    CHECK(read("#bytes #iterations t_avg[usec] tps average\n 64 1000 1.5 666\n", TrafficOperation::read)
              .figures[0]
              .metric == "traffic.t.latency.mean");
    CHECK(wrong(kTimes, TrafficOperation::write) ==
          "m.csv:1:1: expected a table of ib_send_lat or ib_read_lat, as the time of ib_write_lat is no figure of a "
          "generator (programs can do what ib_write_lat does, and CSV has any figure)");
}

TEST_CASE("measurements: a row of perftest that was cut off is told, and a heading that nobody knows") {
    CHECK(wrong(" #bytes #iterations BW peak[MB/sec] BW average[MB/sec]\n 2 5000 9.5\n") ==
          "m.csv:2:1: expected 4 numbers, as the heading has columns, got 3");
    CHECK(wrong(" #bytes #iterations BW peak[MB/sec] colour\n 2 5000 9.5 red\n") ==
          "m.csv:1:1: expected the columns of a table of perftest, got \"colour\"");
    CHECK(wrong(" #bytes #iterations BW average[Gb/sec]\n 2 5000 0.00\n") ==
          "m.csv:2:1: BW average[Gb/sec]: expected a number above 0, got \"0.00\"");
}

TEST_CASE("measurements: without a generator names are whole") {
    CHECK_THROWS_WITH(
        read_measurements("m.csv", "size,goodput [Gbps]\n64 B,1\n", std::nullopt),
        Catch::Matchers::StartsWith("m.csv:1:1: size: expected a whole name, as the scenario has no generator"));
    CHECK_THROWS_WITH(read_measurements("m.csv", kBandwidth, std::nullopt),
                      Catch::Matchers::StartsWith("m.csv: expected a scenario with a generator"));
    CHECK(read_measurements("m.csv", "programs.A[0].size,programs.A.round_trip.mean [us]\n64 B,1\n", std::nullopt)
              .figures[0]
              .metric == "programs.A.round_trip.mean");
}

}  // namespace ndsim::calibrate::measurements_test
