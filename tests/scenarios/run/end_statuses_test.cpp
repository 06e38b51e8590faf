// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::end_statuses_test {

// How a request ends, by wire.md 11.3: at its requester, and at the responder the receive that it takes, if it takes
// one. In the profile infiniband by ndkpi.md 4, column mlx.
struct Statuses {
    std::string requester;
    std::string responder = {};
};
struct Row {
    std::string event;
    std::string request;   // of A
    std::string receives;  // of B, without the one that is left over
    Statuses documented;
    Statuses infiniband;
    bool up;  // the connection afterwards
    std::string faults = "";
};

const std::string kSend = R"("post": "send", "buffer": "tx", "size": "64 B")";
const std::string kReceive = R"({"post": "receive", "buffer": "rx", "size": "64 B", "as": "taken"},)";
const std::string kNone;

// Memory called "closed" is registered by no request, so its token is not valid.
const std::vector<Row> kRows{
    {"a Send goes well", kSend, kReceive, {"success", "success"}, {"success", "success"}, true},
    {"a Write goes well", R"("post": "write", "buffer": "tx", "to": "B.rx")", kNone, {"success"}, {"success"}, true},
    {"a Read goes well", R"("post": "read", "buffer": "sink", "from": "B.rx")", kNone, {"success"}, {"success"}, true},
    {"no receive is posted", kSend, "none", {"io_timeout"}, {"io_timeout"}, false},
    {"the receive is too small",
     R"("post": "send", "buffer": "tx", "size": "65 B")",
     kReceive,
     {"remote_resources", "buffer_overflow"},
     {"data_error", "data_overrun"},
     false},
    {"a Write beyond the region",
     R"("post": "write", "buffer": "tx", "size": "64 B", "to": "B.rx", "to_offset": "4033 B")",
     kNone,
     {"remote_resources"},
     {"access_violation"},
     false},
    {"a Read beyond the region",
     R"("post": "read", "buffer": "sink", "size": "64 B", "from": "B.rx", "from_offset": "4033 B")",
     kNone,
     {"remote_resources"},
     {"access_violation"},
     false},
    {"a Write by a token that is not valid",
     R"("post": "write", "buffer": "tx", "size": "64 B", "to": "B.closed")",
     kNone,
     {"remote_resources"},
     {"access_violation"},
     false},
    {"the receive's own token is not valid",
     kSend,
     R"({"post": "receive", "buffer": "closed", "size": "64 B", "as": "taken"},)",
     {"remote_resources", "access_violation"},
     {"data_error", "access_violation"},
     false},
    {"the requester's own token is not valid",
     R"("post": "send", "buffer": "closed", "size": "64 B")",
     kNone,
     {"access_violation"},
     {"access_violation"},
     false},
    {"the token to invalidate is not valid",
     R"("post": "send_and_invalidate", "buffer": "tx", "size": "64 B", "invalidates": "B.closed")",
     kReceive,
     {"remote_resources", "invalid_device_request"},
     {"io_timeout", "data_error"},
     false},
    {"nothing is acknowledged",
     kSend,
     kNone,
     {"io_timeout"},
     {"io_timeout"},
     false,
     R"({"drop": "A", "packet": 1, "count": 1000})"},
};

std::string ends(const std::string& request, const std::string& status) {
    return R"({"completion": ")" + request + R"(", "status": ")" + status + R"("},)";
}

// A's request; then a Send that shows whether the connection is up, and at B a receive for it, "left". If the
// connection is down both are flushed: the receive when B disconnects. Timer codes are such that all is over in 10 ms:
// 8 attempts of 4.096 us x 2^7, 7 of 0.64 ms.
void run_row(const Row& row, const std::string& profile, const Statuses& expected) {
    const bool has_receive = row.receives != "none";
    const bool takes_receive = !expected.responder.empty();
    const int receives = (has_receive ? 1 : 0) + (takes_receive ? 1 : 0);
    const std::string left = has_receive ? R"({"post": "receive", "buffer": "rx", "size": "64 B", "as": "left"},)" : "";
    const std::string poll =
        receives > 0 ? R"({"poll": "q0.receive", "count": )" + std::to_string(receives) + "}," : "";
    const std::string down = row.up ? "" : R"({"wait": "q0.disconnect"}, {"disconnect": "q0"},)";
    const std::string flushed = row.up ? "success" : "cancelled";
    const std::string text = R"({
        "hosts": {
            "A": {"buffers": {"tx": {"size": "4 KiB"}, "sink": {"size": "4 KiB"}},
                  "memory": {"closed": {"kind": "fast_register"}}},
            "B": {"buffers": {"rx": {"size": "4 KiB"}}, "memory": {"closed": {"kind": "fast_register"}}}
        },
        "faults": [)" + row.faults +
                             R"(],
        "programs": {
            "A": [{"sleep": "20 us"}, {)" +
                             row.request + R"(, "as": "request"}, {"poll": "q0.send"},
                  {"sleep": "100 us"}, {"post": "send", "buffer": "tx", "size": "8 B", "as": "late"},
                  {"poll": "q0.send"}],
            "B": [)" + (has_receive ? row.receives : "") +
                             left + down + poll + R"({"sleep": "1 us"}]
        },
        "expect": [)" + ends("A.request", expected.requester) +
                             (takes_receive ? ends("B.taken", expected.responder) : "") +
                             (has_receive ? ends("B.left", flushed) : "") + R"({"completion": "A.late", "status": ")" +
                             flushed + R"("}]})";
    const ChildResult run = run_text(text, {"profile=" + profile, "nic.timeout_code=7"});
    INFO(row.event << ", " << profile << ": " << run.why);
    CHECK(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet == "");
}

TEST_CASE("status: each end of a request has its own at requester and responder, and its effect on the connection",
          "[X67]") {
    for (const Row& row : kRows) {
        run_row(row, "documented", row.documented);
        run_row(row, "infiniband", row.infiniband);
    }
}

}  // namespace ndsim::test::end_statuses_test
