// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <systemc>

#include "models/ports/pcie.hpp"
#include "models/proto/wqe.hpp"

namespace ndsim {

// The purpose of a DMA read. Each class has its own queue and a reserved minimum of tags. The last two read the NIC's
// own tables.
enum class ReadClass : std::uint8_t { wqe, receive_wqe, payload, context, translation };
inline constexpr std::size_t kReadClasses = 5;
inline constexpr std::array<std::string_view, kReadClasses> kReadClassNames{"wqe", "receive_wqe", "payload", "context",
                                                                            "translation"};

// One contiguous piece of a DMA read.
struct ReadPiece {
    Address from{};
    std::uint32_t length = 0;
    std::byte* into = nullptr;
};

// A unit that reads host memory by DMA.
class ReadClient {
public:
    // For all pieces of the read: its forward grain is in the NIC at `data.start`, its last byte at `data.end`. Called
    // as soon as the times are known, which is before the data is there.
    virtual void read_arrives(std::uint32_t token, Interval data) = 0;
    // A read of this class that was refused may be tried again.
    virtual void read_space(ReadClass cls) = 0;

protected:
    ~ReadClient() = default;
};

// A unit that writes to host memory by DMA.
class WriteClient {
public:
    // The write waits for PCIe credits during `wait`; its times follow.
    virtual void write_waited(std::uint32_t /*token*/, Interval /*wait*/) {}
    virtual void write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) = 0;

protected:
    ~WriteClient() = default;
};

// The transfers that were given to the DMA engine until some moment.
struct DmaMark {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
};

// DMA reads and writes of the NIC's units.
class DmaPort : public virtual sc_core::sc_interface {
public:
    // False if the class has a read that waits for tags; read_space() follows. Payload first waits for translations.
    // The wait is charged to `request`, unless that is none.
    [[nodiscard]] virtual bool try_read(ReadClass cls, std::span<const ReadPiece> pieces, std::uint32_t token,
                                        RequestId request, ReadClient& client) = 0;
    // As try_read(), for payload; the read finds whatever was written for this queue pair before. One without pieces
    // only waits for those writes.
    [[nodiscard]] virtual bool try_read_behind_writes(QpNum qp, std::span<const ReadPiece> pieces, std::uint32_t token,
                                                      RequestId request, ReadClient& client) = 0;
    // Takes the write and queues it behind earlier ones of its kind. `client` may be nullptr.
    virtual void write(const WriteTrain& train, WriteClient* client) = 0;
    // Those given so far; CQEs and interrupts that follow no payload do not count.
    [[nodiscard]] virtual DmaMark given() const = 0;
    // When all of them have touched host memory; none while that is not known.
    [[nodiscard]] virtual std::optional<Picoseconds> settled(const DmaMark& mark) const = 0;
};

}  // namespace ndsim
