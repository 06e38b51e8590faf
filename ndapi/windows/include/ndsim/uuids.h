// SPDX-License-Identifier: Apache-2.0
// The identifier of an interface, by its type or by an expression of that type or of a pointer to it. Only those of
// NetworkDirect are known, not those that a program declares.
#pragma once

#include <type_traits>

#include "ndapi/ndspi/ndspi.h"

template <class Interface>
struct ndsim_iid_of {
    static constexpr const IID& value() { return Interface::has_no_identifier_here(); }
};
template <>
struct ndsim_iid_of<IUnknown> {
    static constexpr const IID& value() { return IID_IUnknown; }
};
template <>
struct ndsim_iid_of<IClassFactory> {
    static constexpr const IID& value() { return IID_IClassFactory; }
};
template <>
struct ndsim_iid_of<INDAdapter> {
    static constexpr const IID& value() { return IID_INDAdapter; }
};
template <>
struct ndsim_iid_of<INDProvider> {
    static constexpr const IID& value() { return IID_INDProvider; }
};
template <>
struct ndsim_iid_of<INDConnector> {
    static constexpr const IID& value() { return IID_INDConnector; }
};
template <>
struct ndsim_iid_of<INDListen> {
    static constexpr const IID& value() { return IID_INDListen; }
};
template <>
struct ndsim_iid_of<INDOverlapped> {
    static constexpr const IID& value() { return IID_INDOverlapped; }
};
template <>
struct ndsim_iid_of<INDCompletionQueue> {
    static constexpr const IID& value() { return IID_INDCompletionQueue; }
};
template <>
struct ndsim_iid_of<INDMemoryWindow> {
    static constexpr const IID& value() { return IID_INDMemoryWindow; }
};
template <>
struct ndsim_iid_of<INDEndpoint> {
    static constexpr const IID& value() { return IID_INDEndpoint; }
};
template <>
struct ndsim_iid_of<IND2Adapter> {
    static constexpr const IID& value() { return IID_IND2Adapter; }
};
template <>
struct ndsim_iid_of<IND2Provider> {
    static constexpr const IID& value() { return IID_IND2Provider; }
};
template <>
struct ndsim_iid_of<IND2Connector> {
    static constexpr const IID& value() { return IID_IND2Connector; }
};
template <>
struct ndsim_iid_of<IND2Listener> {
    static constexpr const IID& value() { return IID_IND2Listener; }
};
template <>
struct ndsim_iid_of<IND2MemoryRegion> {
    static constexpr const IID& value() { return IID_IND2MemoryRegion; }
};
template <>
struct ndsim_iid_of<IND2MemoryWindow> {
    static constexpr const IID& value() { return IID_IND2MemoryWindow; }
};
template <>
struct ndsim_iid_of<IND2Overlapped> {
    static constexpr const IID& value() { return IID_IND2Overlapped; }
};
template <>
struct ndsim_iid_of<IND2CompletionQueue> {
    static constexpr const IID& value() { return IID_IND2CompletionQueue; }
};
template <>
struct ndsim_iid_of<IND2SharedReceiveQueue> {
    static constexpr const IID& value() { return IID_IND2SharedReceiveQueue; }
};
template <>
struct ndsim_iid_of<IND2QueuePair> {
    static constexpr const IID& value() { return IID_IND2QueuePair; }
};

#define __uuidof(what) \
    ndsim_iid_of<std::remove_cv_t<std::remove_pointer_t<std::remove_reference_t<__typeof__(what)>>>>::value()
#define IID_PPV_ARGS(address) __uuidof(**(address)), reinterpret_cast<void**>(address)
