// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The control path. Defaults are preset B's.
struct ControlParams {
    Picoseconds command_latency = std::chrono::microseconds{2};
    Picoseconds event_latency = std::chrono::microseconds{2};
    Picoseconds connect_latency = std::chrono::microseconds{200};
    Picoseconds connect_timeout = std::chrono::seconds{64};
    Picoseconds disconnect_timeout = std::chrono::seconds{4};
    Picoseconds registration = std::chrono::microseconds{1};
    Picoseconds registration_per_page = std::chrono::nanoseconds{20};
    Picoseconds deregistration = std::chrono::microseconds{1};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::hours;
        using std::chrono::microseconds;
        using std::chrono::milliseconds;
        using std::chrono::nanoseconds;
        const auto range = between(nanoseconds{1}, milliseconds{100});
        const auto by_commands = counted_by("nic.control.commands", "no command was given");
        field("command_latency", command_latency, range, "a command on the control path, from call to answer",
              Mark::estimate, by_commands);
        field("event_latency", event_latency, range, "from an event in the NIC until software is told of it",
              Mark::estimate, counted_by("nic.control.events", "there was no event"));
        field("connect_latency", connect_latency, range,
              "the command that connects a queue pair: the firmware makes it ready to receive, then to send",
              Mark::estimate, counted_by("nic.control.connects", "no program connected a queue pair"));
        const auto patience = between(microseconds{1}, hours{1});
        field("connect_timeout", connect_timeout, patience,
              "how long the driver waits for a peer's answer to a connect: 15 attempts of 4.3 s, as is usual for "
              "InfiniBand",
              Mark::estimate, bound_counted_by("ndk.connect_failures", "no connect failed"));
        field("disconnect_timeout", disconnect_timeout, patience,
              "how long the driver waits for the peer to disconnect as well", Mark::estimate,
              counted_by("ndk.connects+ndk.accepts", "there was no connection"));
        field("registration", registration, range, "registering memory, without the time for its pages", Mark::estimate,
              by_commands);
        field("registration_per_page", registration_per_page, between(nanoseconds{0}, milliseconds{1}),
              "registering one page of 4 KiB", Mark::estimate, by_commands);
        field("deregistration", deregistration, range, "removing a key from the table, whatever the size of its memory",
              Mark::estimate, by_commands);
    }
};

}  // namespace ndsim
