// SPDX-License-Identifier: Apache-2.0
// What the library itself asks NetworkDirect's provider of the host.
#pragma once

#include <memory>

#include "ndapi/ndspi/ndspi.h"

namespace ndsim {

struct Release {
    void operator()(IUnknown* object) const { object->Release(); }
};
template <class Interface>
using Held = std::unique_ptr<Interface, Release>;

// Null if the host has none.
[[nodiscard]] Held<IND2Provider> provider_of_version_2();
[[nodiscard]] Held<INDProvider> provider_of_version_1();

// The adapter's first address of a family. `size` is the room at `address`, and then the size of the address;
// ND_BUFFER_OVERFLOW with nothing but that.
[[nodiscard]] HRESULT local_address(ADDRESS_FAMILY family, sockaddr* address, SIZE_T& size);

}  // namespace ndsim
