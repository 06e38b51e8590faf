// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/completions_writer.hpp"

#include <sstream>

#include "tests/scenarios/record/capture_support.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::completions_writer_test {

using namespace std::chrono_literals;

// Requests of host B, posted 1 ns after each other; each takes 2 ns for the doorbell and 3 ns on the wire.
class Requests {
public:
    void end_next(CompletionsWriter& writer, const std::string& label = "") {
        ++number_;
        path_.clear();
        Ledger ledger;
        ledger.begun = ledger.last = Picoseconds{1ns} * number_;
        ledger.path = &path_;
        ledger.mark(Account::doorbell, ledger.begun + 2ns);
        ledger.mark(Account::wire, ledger.begun + 5ns);
        core::Retired request;
        request.qp = QpNum{16};
        request.kind = OperationKind::send;
        request.bytes = 64;
        request.request = number_;
        request.ledger = &ledger;
        writer.add(HostId{1}, request, label);
    }

private:
    std::uint32_t number_ = 0;
    std::vector<Stay> path_;
};

TEST_CASE("completions: each request has its line, in the order of the ends, however many there are") {
    const CaptureFile file("completions.csv");
    CompletionsWriter writer({"A", "B"});
    REQUIRE_FALSE(writer.open(file.path()).has_value());
    Requests requests;
    constexpr int kMany = 5'000;  // several batches, the last one not full
    for (int i = 0; i < kMany; ++i) {
        requests.end_next(writer, i == 2 ? "s3" : "");
    }
    CHECK(writer.is_open());
    CHECK_FALSE(writer.close().has_value());
    CHECK_FALSE(writer.is_open());

    std::istringstream lines(file.bytes());
    std::string line;
    std::getline(lines, line);
    CHECK(line == completions_head());
    int number = 0;
    while (std::getline(lines, line)) {
        ++number;
        const std::string begun = std::to_string(number * 1'000);
        INFO(line);
        REQUIRE(line.starts_with("B." + std::to_string(number) + ",0x10,send,success,64,0," + begun + ","));
        REQUIRE(line.ends_with(number == 3 ? ",s3,doorbell wire" : ",,doorbell wire"));
    }
    CHECK(number == kMany);
}

TEST_CASE("completions: a file that cannot be created or written is reported with its reason") {
    CompletionsWriter nowhere({"A", "B"});
    CHECK(nowhere.open("/nowhere/completions.csv") == "/nowhere/completions.csv: No such file or directory");
    CHECK_FALSE(nowhere.is_open());

    CompletionsWriter full({"A", "B"});
    REQUIRE_FALSE(full.open("/dev/full").has_value());
    Requests requests;
    for (int i = 0; i < 2'000; ++i) {
        requests.end_next(full);
    }
    CHECK_FALSE(full.is_open());  // it takes no more
    CHECK(full.close() == "/dev/full: No space left on device");
}

}  // namespace ndsim::test::completions_writer_test
