// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>

#include "ndapi/core/mr.hpp"
#include "ndapi/wsd/descriptor.hpp"
#include "ndapi/wsd/setting.hpp"

namespace ndsim::wsd {

// A range of the program's memory.
struct MemoryRange {
    std::byte* data = nullptr;
    std::uint64_t length = 0;

    friend bool operator==(const MemoryRange&, const MemoryRange&) = default;
    // Whether `other` contains this range.
    [[nodiscard]] bool is_in(const MemoryRange& other) const {
        const auto offset = static_cast<std::uint64_t>(data - other.data);
        return data >= other.data && offset <= other.length && length <= other.length - offset;
    }
};

// Memory that a socket's owner has registered, for itself or for the peer.
struct Registration {
    enum class State : std::uint8_t { beginning, live, cached };

    HANDLE handle = nullptr;
    std::unique_ptr<core::Mr> mr;
    MemoryRange range;
    std::uint8_t access = kLocalRead;
    bool for_peer = false;
    State state = State::beginning;
    int uses = 0;  // by pending operations

    [[nodiscard]] bool is_local() const { return state == State::live && !for_peer; }
};

// Registrations: the registered memory of a socket. A registration for local use stays with the NIC after its end, and
// the same registration again costs nothing (W75). Calls that need the NIC block.
class Registrations {
public:
    Registrations(Setting& setting, core::Pd& pd) : setting_(setting), pd_(pd) {}

    // Codes of Winsock, 0 for success. `access` is of Access.
    [[nodiscard]] int add(const MemoryRange& range, std::uint8_t access, HANDLE& handle);
    [[nodiscard]] int remove(HANDLE handle);
    [[nodiscard]] int open(const MemoryRange& range, std::uint8_t access, Descriptor& descriptor);
    [[nodiscard]] int shut(const Descriptor& descriptor);
    // The mappings of this memory will change.
    enum class Dropped : std::uint8_t { nothing, all, not_all };
    [[nodiscard]] Dropped drop_cached(const MemoryRange& range);

    // Local memory that covers these bytes and grants this access, or nullptr.
    [[nodiscard]] Registration* covering(const MemoryRange& range, std::uint8_t access);
    // As covering(), by handle.
    [[nodiscard]] Registration* of(HANDLE handle, const MemoryRange& range, std::uint8_t access);
    // The socket is closed: what is being registered fails.
    void refuse() { closed_ = true; }
    // Takes everything down, cached or not; does not wait for the NIC.
    void close();

private:
    using Place = std::list<Registration>::iterator;

    [[nodiscard]] int make(const MemoryRange& range, std::uint8_t access, bool for_peer, Registration*& made);
    [[nodiscard]] Place find(HANDLE handle, bool for_peer);
    [[nodiscard]] Place find_cached(const MemoryRange& range, std::uint8_t access);
    [[nodiscard]] bool make_room();
    void drop(Place which);

    Setting& setting_;
    core::Pd& pd_;
    std::list<Registration> all_;
    bool closed_ = false;
};

}  // namespace ndsim::wsd
