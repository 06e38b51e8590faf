// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/face.hpp"

#include "scenarios/engine/ndk_face.hpp"

namespace ndsim {

std::unique_ptr<Face> make_face(HostSide& side) {
    return std::make_unique<NdkFace>(side);
}

}  // namespace ndsim
