// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "sim/base/ids.hpp"

namespace ndsim {

// A unit that waits for translations.
class TranslationClient {
public:
    virtual void translated(std::uint32_t token) = 0;

protected:
    ~TranslationClient() = default;
};

// The cache of the NIC's memory translations.
class TranslationPort : public virtual sc_core::sc_interface {
public:
    // The number of pages of [address, address + length) without a translation in the NIC. They are fetched, and
    // translated() follows once for each of them.
    [[nodiscard]] virtual std::uint32_t use(Address address, std::uint32_t length, TranslationClient& client,
                                            std::uint32_t token) = 0;
};

}  // namespace ndsim
