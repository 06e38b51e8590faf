// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "models/protection/protection_table.hpp"
#include "tests/support/nic_doubles.hpp"

// What tests of the protection table have in common.
namespace ndsim::test::protection {

inline constexpr std::uint32_t kPage = 4096;
inline constexpr MrKey kRegion{0x200};
inline constexpr MrKey kFast{0x300};
inline constexpr MrKey kWindow{0x400};  // before its first Bind
inline constexpr MrKey kBound{0x401};   // of its first Bind
inline constexpr PdNum kOtherPd{8};
// A region of 1000 bytes, in host memory and as its peers call it.
inline constexpr Address kBase{0x1'0000};
inline constexpr Address kRemoteBase{0x7000'0000};

// A table with a region that may be written locally, a free fast-register region and a free window. Mapped are eight
// pages from Memory::kBase on.
struct Table : Bench {
    Table() {
        table.memory.bind(memory);
        table.add({kRegion, kPd, kBase, 1000, kLocalWrite, kRemoteBase});
        table.add({FreeKey::Kind::fast_register, kFast, kPd});
        table.add({FreeKey::Kind::window, kWindow, kPd});
    }
    bool allows(MrKey key, Address at, std::uint64_t length, std::uint8_t access, PdNum pd = kPd, QpNum qp = kQp) {
        ranges.clear();
        return table.allows({key, pd, qp, at, length, access}, &ranges);
    }
    static KeyOperation bind(MrKey key, std::uint64_t offset, std::uint64_t length, std::uint8_t access) {
        KeyOperation operation;
        operation.opcode = WqeOpcode::bind;
        operation.key = key;
        operation.parent = kRegion;
        operation.address = kBase + offset;
        operation.length = length;
        operation.access = access;
        return operation;
    }
    static KeyOperation fast_register(Address called, std::uint64_t length, std::uint32_t first_byte,
                                      std::vector<Address> pages, std::uint8_t access) {
        KeyOperation operation;
        operation.opcode = WqeOpcode::fast_register;
        operation.key = kFast;
        operation.address = called;
        operation.length = length;
        operation.first_byte = first_byte;
        operation.pages = std::move(pages);
        operation.access = access;
        return operation;
    }
    static KeyOperation invalidate(MrKey key) {
        KeyOperation operation;
        operation.opcode = WqeOpcode::invalidate;
        operation.key = key;
        return operation;
    }
    WcStatus carry_out(const KeyOperation& operation, PdNum pd = kPd, QpNum qp = kQp) {
        return table.carry_out(operation, pd, qp);
    }

    Memory memory{8 * kPage};
    ProtectionTable table{"protection", timeline};
    std::vector<HostRange> ranges;
};

constexpr Address page(std::uint64_t n) {
    return Memory::kBase + n * kPage;
}

}  // namespace ndsim::test::protection
