// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "scenarios/hosts/face.hpp"

namespace ndsim {

// Makes the face that the scenario has chosen for a host.
[[nodiscard]] std::unique_ptr<Face> make_face(HostSide& side);

}  // namespace ndsim
