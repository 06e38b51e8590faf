// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <variant>

#include "ndapi/core/blocking.hpp"
#include "ndapi/core/cq.hpp"
#include "ndapi/core/listener.hpp"
#include "ndapi/core/mr.hpp"
#include "ndapi/core/pieces.hpp"
#include "ndapi/core/qp.hpp"
#include "ndapi/core/shared_endpoint.hpp"
#include "ndapi/ndk/ndkpi.h"

namespace ndsim::ndk {

// NDKPI's objects as this provider makes them: the structure for the consumer, and the core's object behind it. The
// consumer may replace Dispatch, so nothing here ever reads it [K9].

inline constexpr NDK_VERSION kVersion{2, 1};  // the highest that this provider supports

// An open adapter.
struct AdapterFace final : NDK_ADAPTER, core::Object {
    AdapterFace(core::Driver& adapter_driver, NDK_VERSION agreed);
    core::Driver& driver;
};

// Any other object. It has the version that was agreed on when its adapter was opened [K8], and the adapter stays open
// as long.
template <class Ndk>
struct Child : Ndk {
    using Structure = Ndk;
    template <class Dispatch>
    Child(NDK_OBJECT_TYPE type, AdapterFace& parent, const Dispatch& dispatch)
        : Ndk{{parent.Header.Version, type, {}}, &dispatch}, adapter(parent) {
        adapter.hold();
    }
    AdapterFace& adapter;
};

// A protection domain.
struct PdFace final : Child<NDK_PD> {
    explicit PdFace(AdapterFace& parent);
    core::Pd core;
};

// An MR is of one of two kinds for its whole life.
struct MrFace final : Child<NDK_MR> {
    MrFace(PdFace& pd, bool fast_register);
    [[nodiscard]] core::Mr* region() { return std::get_if<core::Mr>(&core); }
    [[nodiscard]] core::FastMr* fast() { return std::get_if<core::FastMr>(&core); }
    [[nodiscard]] core::Object& object();
    [[nodiscard]] MrKey key();
    std::variant<std::monostate, core::Mr, core::FastMr> core;
};

// A memory window.
struct MwFace final : Child<NDK_MW> {
    explicit MwFace(PdFace& pd);
    core::Mw core;
};

// A completion queue.
struct CqFace final : Child<NDK_CQ> {
    CqFace(AdapterFace& parent, std::uint32_t depth, core::Cq::Notification notify);
    core::Cq core;
};

// A queue pair.
struct QpFace final : Child<NDK_QP> {
    QpFace(PdFace& pd, CqFace& receive_cq, CqFace& send_cq, core::Srq* srq, void* context,
           const core::QpLimits& limits);
    core::Qp core;
};

// One end of a connection.
struct ConnectorFace final : Child<NDK_CONNECTOR> {
    explicit ConnectorFace(AdapterFace& parent);
    ConnectorFace(AdapterFace& parent, std::unique_ptr<core::Connector> incoming);
    [[nodiscard]] core::Object& object() { return *core; }
    std::unique_ptr<core::Connector> core;
};

// A local address that connectors share.
struct SharedEndpointFace final : Child<NDK_SHARED_ENDPOINT> {
    explicit SharedEndpointFace(AdapterFace& parent);
    core::SharedEndpoint core;
};

// A listener for connect requests.
struct ListenerFace final : Child<NDK_LISTENER> {
    ListenerFace(AdapterFace& parent, core::Listener::Incoming incoming);
    core::Listener core;
};

[[nodiscard]] NDK_ADAPTER_INFO info_of(const AdapterFace& adapter);
[[nodiscard]] NTSTATUS query_extension(NDK_OBJECT_HEADER*, const GUID*, NDK_VERSION, NDK_EXTENSION_INTERFACE*);

extern const NDK_ADAPTER_DISPATCH kAdapterDispatch;
extern const NDK_PD_DISPATCH kPdDispatch;
[[nodiscard]] NTSTATUS build_lam(NDK_ADAPTER*, MDL*, SIZE_T, NDK_FN_REQUEST_COMPLETION, PVOID,
                                 NDK_LOGICAL_ADDRESS_MAPPING*, ULONG*, ULONG*);
VOID release_lam(NDK_ADAPTER*, NDK_LOGICAL_ADDRESS_MAPPING*);

extern const NDK_MR_DISPATCH kMrDispatch;
extern const NDK_MW_DISPATCH kMwDispatch;
extern const NDK_CQ_DISPATCH kCqDispatch;
extern const NDK_QP_DISPATCH kQpDispatch;
extern const NDK_CONNECTOR_DISPATCH kConnectorDispatch;
extern const NDK_LISTENER_DISPATCH kListenerDispatch;
extern const NDK_SHARED_ENDPOINT_DISPATCH kSharedEndpointDispatch;

// The face of a structure that this provider handed out.
template <class Face, class Ndk>
[[nodiscard]] Face& face(Ndk* object) {
    return static_cast<Face&>(*object);
}

// The same for a call that reads or changes what events change, too; posts do not.
template <class Face, class Ndk>
[[nodiscard]] Face& face_by_now(Ndk* object) {
    Face& found = face<Face>(object);
    core::catch_up(found.adapter.driver);
    return found;
}

// Closes a face: STATUS_SUCCESS if it closes at once, otherwise the callback follows [K17].
template <class Face>
NTSTATUS close_face(Face& object, core::Object& core, NDK_FN_CLOSE_COMPLETION completion, PVOID context) {
    AdapterFace& adapter = object.adapter;
    core::catch_up(adapter.driver);
    auto closed = std::make_shared<bool>(false);
    auto inside = std::make_shared<bool>(true);
    core.close([&object, &core, &adapter, completion, context, closed, inside](const std::function<void()>& let_go) {
        *closed = true;
        const bool tell = !*inside && completion != nullptr;
        if (!tell) {
            let_go();
        }
        adapter.driver.callbacks().defer(
            adapter.driver.now(), [&object, &core, &adapter, completion, context, let_go, tell] {
                if (tell) {
                    completion(context);
                    let_go();
                }
                core.when_unused([&object, &driver = adapter.driver] { driver.drop(&object); });
                adapter.release();
            });
    });
    *inside = false;
    return *closed ? STATUS_SUCCESS : STATUS_PENDING;
}

// The close function of a dispatch table.
template <class Face>
NTSTATUS close_object(NDK_OBJECT_HEADER* header, NDK_FN_CLOSE_COMPLETION completion, PVOID context) {
    Face& object = face<Face>(reinterpret_cast<typename Face::Structure*>(header));
    if constexpr (requires { object.object(); }) {
        return close_face(object, object.object(), completion, context);
    } else {
        return close_face(object, object.core, completion, context);
    }
}

// Makes a face. The driver keeps it until it is closed.
template <class Face, class... Arguments>
[[nodiscard]] Face* make_face(core::Driver& driver, Arguments&&... arguments) {
    return &driver.keep(std::make_unique<Face>(std::forward<Arguments>(arguments)...));
}

// Reports an object that exists already, or cannot be made: the call returns it, or a callback brings it [K14, K15].
template <class Ndk, class Face>
NTSTATUS hand_out(core::Driver& driver, Ndk** out, Face* object, NTSTATUS status, NDK_FN_CREATE_COMPLETION completion,
                  PVOID context) {
    if (driver.creates_inline(false) || completion == nullptr) {
        if (object != nullptr) {
            *out = object;
        }
        return status;
    }
    driver.callbacks().defer(std::max(driver.now(), driver.core().clock()), [object, status, completion, context] {
        completion(context, status, object != nullptr ? &object->Header : nullptr);
    });
    return STATUS_PENDING;
}

// Has the NIC make the object; the call waits for that, or a callback reports it. Callbacks cannot wait.
template <class Ndk, class Face>
NTSTATUS create_in_nic(core::Driver& driver, Ndk** out, Face* object, NDK_FN_CREATE_COMPLETION completion,
                       PVOID context) {
    if (!driver.creates_inline(true) || driver.callbacks().is_calling()) {
        object->core.create(
            [object, completion, context](NTSTATUS status) { completion(context, status, &object->Header); });
        return STATUS_PENDING;
    }
    const NTSTATUS outcome = core::wait_for(driver, "the NIC to create an object", [object](const auto& done) {
        object->core.create(done);
        return STATUS_PENDING;
    });
    *out = object;
    return outcome;
}

[[nodiscard]] inline core::LocalPiece piece_of(const NDK_SGE& sge) {
    return {static_cast<std::byte*>(sge.VirtualAddress), sge.Length, MrKey{sge.MemoryRegionToken}};
}

// Reports the outcome of a pending request.
[[nodiscard]] inline std::function<void(NTSTATUS)> report_to(NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    return [completion, context](NTSTATUS status) {
        if (completion != nullptr) {
            completion(context, status);
        }
    };
}

}  // namespace ndsim::ndk
