// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace ndsim {

enum class QpNum : std::uint32_t {};  // 24 bits on the wire
enum class CqNum : std::uint32_t {};
enum class SrqNum : std::uint32_t {};
enum class PdNum : std::uint32_t {};
enum class MrKey : std::uint32_t {};    // lkey and rkey; NDK: local and remote token. 0 is never handed out
enum class HostId : std::uint16_t {};   // index of the host in the scenario
enum class Address : std::uint64_t {};  // an address in one host's simulated memory

// A request as traces know it: the host that posted it and that host's running number, from 1; 0 is no request.
struct RequestId {
    HostId host{};
    std::uint32_t number = 0;
    friend constexpr bool operator==(const RequestId&, const RequestId&) = default;
};

template <class Id>
requires std::is_enum_v<Id>
[[nodiscard]] constexpr auto raw(Id id) {
    return static_cast<std::underlying_type_t<Id>>(id);
}

[[nodiscard]] constexpr Address operator+(Address base, std::uint64_t offset) {
    return Address{raw(base) + offset};
}

}  // namespace ndsim
