// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "ndapi/sockets/wsd_switch.hpp"
#include "ndapi/windows/abi/byteorder.h"
#include "ndapi/wsd/provider.hpp"
#include "tests/ndapi/ndk/ndk_calls.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Two hosts with a switch each, and a stream between them.
namespace ndsim::test {

// A step of a switch, in the order in which both took them: "A announce".
using WsdTrace = std::vector<std::string>;

struct StreamSide {
    std::function<void(WsdStream& stream, ProgramHost& os)> program = [](WsdStream&, ProgramHost&) {};
    wsd::Options options{};
    WsdSettings settings{};
    std::optional<int> close = 0;  // the code with which the stream closes; none: the program leaves without that
};

inline void check_code(int code, int wanted, const std::string& what) {
    expect(code == wanted, what + ": " + std::to_string(code) + " instead of " + std::to_string(wanted));
}

// Bytes that tell where in a stream they belong.
inline std::vector<std::byte> stream_bytes(std::size_t length) {
    std::vector<std::byte> bytes(length);
    for (std::size_t i = 0; i < length; ++i) {
        bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
    }
    return bytes;
}

// Receives until so many bytes have come.
inline std::vector<std::byte> receive_all(WsdStream& stream, std::size_t length) {
    std::vector<std::byte> bytes(length);
    std::size_t there = 0;
    while (there < length) {
        const WsdStream::Received received = stream.receive(bytes.data() + there, length - there);
        check_code(received.error, 0, "a receive");
        expect(received.bytes > 0, "the stream goes on");
        there += received.bytes;
    }
    return bytes;
}

// `members` are of the scenario, each after a comma. B listens; A connects at 1 ms. Both close when they are done,
// unless they leave.
inline ChildResult run_streams(const StreamSide& a, const StreamSide& b, WsdTrace* trace = nullptr,
                               const std::vector<std::string>& overrides = {}, const std::string& members = {}) {
    const auto as_host_program = [trace](const StreamSide& side, bool active) {
        return [side, active, trace](HostContext& host) {
            host.run_program([&](ProgramHost& os) {
                auto& process = dynamic_cast<os::Process&>(os);
                WsdSettings settings = side.settings;
                if (trace != nullptr) {
                    settings.trace = [trace, active](std::string_view step) {
                        trace->push_back((active ? "A " : "B ") + std::string(step));
                    };
                }
                WsdSwitch sockets(process, wsd::open_provider(process, side.options), settings);
                WsdSwitch::Connected connected;
                if (active) {
                    os.sleep(1);
                    sockaddr_in peer = host.address("B");
                    peer.sin_port = htons(5000);
                    connected = sockets.connect(peer);
                } else {
                    check_code(sockets.listen(5000), 0, "it listens");
                    connected = sockets.accept(5000);
                }
                check_code(connected.error, 0, "there is a connection");
                side.program(*connected.stream, os);
                if (side.close) {
                    check_code(connected.stream->close(), *side.close, "the close");
                }
                sockets.close();
                return 0;
            });
        };
    };
    RunOptions options;
    options.programs = {{"A", as_host_program(a, true)}, {"B", as_host_program(b, false)}};
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}})" + members + "}", overrides, options);
    INFO(run.why);
    CHECK(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    return run;
}

// The steps of a trace that are among these, in their order.
inline WsdTrace only(const WsdTrace& trace, const WsdTrace& wanted) {
    WsdTrace found;
    std::ranges::copy_if(trace, std::back_inserter(found), [&wanted](const std::string& step) {
        return std::ranges::find(wanted, step) != wanted.end();
    });
    return found;
}

inline std::string text_of(const WsdTrace& trace) {
    std::string text;
    for (const std::string& step : trace) {
        text += (text.empty() ? "" : ", ") + step;
    }
    return text;
}

}  // namespace ndsim::test
