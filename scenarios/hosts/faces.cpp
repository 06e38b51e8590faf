// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/faces.hpp"

#include "scenarios/hosts/nd1_face.hpp"
#include "scenarios/hosts/nd2_face.hpp"
#include "scenarios/hosts/ndk_face.hpp"
#include "scenarios/hosts/wsd_face.hpp"

namespace ndsim {

std::unique_ptr<Face> make_face(HostSide& side) {
    switch (side.host().api) {
        case Api::ndk:
            return std::make_unique<NdkFace>(side);
        case Api::ndspi1:
            return std::make_unique<Nd1Face>(side);
        case Api::ndspi2:
            return std::make_unique<Nd2Face>(side);
        case Api::wsd:
            return std::make_unique<WsdFace>(side);
    }
    return nullptr;
}

}  // namespace ndsim
