// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/status_log.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::status_log_test {

void log(StatusLog& log, std::string request, Picoseconds at, NTSTATUS status) {
    if (log.count(status)) {
        GivenStatus given;
        given.request = std::move(request);
        given.when = {Picoseconds{0}, at};
        given.status = status;
        log.add(std::move(given));
    }
}

std::vector<std::string> requests(const StatusLog& log) {
    std::vector<std::string> names;
    for (const GivenStatus& given : log.kept()) {
        names.push_back(given.request);
    }
    return names;
}

TEST_CASE("status log: statuses are in the order of their times, not of the cores' turns") {
    StatusLog statuses;
    log(statuses, "A.1", Picoseconds{30}, STATUS_SUCCESS);
    log(statuses, "B.1", Picoseconds{10}, STATUS_CANCELLED);
    log(statuses, "B.2", Picoseconds{30}, STATUS_SUCCESS);  // at one time: as they came
    CHECK(statuses.is_whole());
    CHECK(statuses.failed() == 1);
    CHECK(requests(statuses) == std::vector<std::string>{"B.1", "A.1", "B.2"});
}

TEST_CASE("status log: of a long run only what did not succeed is left, as much as fits") {
    StatusLog statuses;
    std::vector<std::string> failures;
    for (std::size_t i = 0; i < StatusLog::kMost; ++i) {
        log(statuses, "ok", Picoseconds{5}, STATUS_SUCCESS);
    }
    CHECK(requests(statuses).size() == StatusLog::kMost);
    for (std::size_t i = 0; i < StatusLog::kMost + 3; ++i) {
        log(statuses, std::to_string(i), Picoseconds{6}, STATUS_CANCELLED);
        if (i < StatusLog::kMost) {
            failures.push_back(std::to_string(i));
        }
    }
    CHECK(!statuses.is_whole());
    CHECK(statuses.all() == 2 * StatusLog::kMost + 3);
    CHECK(statuses.failed() == StatusLog::kMost + 3);
    CHECK(requests(statuses) == failures);
}

TEST_CASE("status log: completions get the names of their queue pairs, calls keep theirs") {
    StatusLog statuses;
    GivenStatus call;
    call.queue = "A.q1";
    GivenStatus completion;
    completion.host = HostId{1};
    completion.qp = QpNum{17};
    statuses.add(call);
    statuses.add(completion);
    statuses.name_queues(
        [](HostId host, QpNum qp) { return std::to_string(raw(host)) + "." + std::to_string(raw(qp)); });
    CHECK(statuses.kept()[0].queue == "A.q1");
    CHECK(statuses.kept()[1].queue == "1.17");
}

}  // namespace ndsim::test::status_log_test
