// SPDX-License-Identifier: Apache-2.0
// The identifier of an interface, by its type or by an expression of that type or of a pointer to it. Only those of
// NetworkDirect are known, not those that a program declares.
#pragma once

#include <type_traits>

#include "ndapi/ndspi/ndspi.h"

template <class Interface>
inline constexpr IID ndsim_iid_of = Interface::has_no_identifier_here();
template <>
inline constexpr IID ndsim_iid_of<IUnknown> = IID_IUnknown;
template <>
inline constexpr IID ndsim_iid_of<IClassFactory> = IID_IClassFactory;
template <>
inline constexpr IID ndsim_iid_of<INDAdapter> = IID_INDAdapter;
template <>
inline constexpr IID ndsim_iid_of<INDProvider> = IID_INDProvider;
template <>
inline constexpr IID ndsim_iid_of<INDConnector> = IID_INDConnector;
template <>
inline constexpr IID ndsim_iid_of<INDListen> = IID_INDListen;
template <>
inline constexpr IID ndsim_iid_of<INDOverlapped> = IID_INDOverlapped;
template <>
inline constexpr IID ndsim_iid_of<INDCompletionQueue> = IID_INDCompletionQueue;
template <>
inline constexpr IID ndsim_iid_of<INDMemoryWindow> = IID_INDMemoryWindow;
template <>
inline constexpr IID ndsim_iid_of<INDEndpoint> = IID_INDEndpoint;
template <>
inline constexpr IID ndsim_iid_of<IND2Adapter> = IID_IND2Adapter;
template <>
inline constexpr IID ndsim_iid_of<IND2Provider> = IID_IND2Provider;
template <>
inline constexpr IID ndsim_iid_of<IND2Connector> = IID_IND2Connector;
template <>
inline constexpr IID ndsim_iid_of<IND2Listener> = IID_IND2Listener;
template <>
inline constexpr IID ndsim_iid_of<IND2MemoryRegion> = IID_IND2MemoryRegion;
template <>
inline constexpr IID ndsim_iid_of<IND2MemoryWindow> = IID_IND2MemoryWindow;
template <>
inline constexpr IID ndsim_iid_of<IND2Overlapped> = IID_IND2Overlapped;
template <>
inline constexpr IID ndsim_iid_of<IND2CompletionQueue> = IID_IND2CompletionQueue;
template <>
inline constexpr IID ndsim_iid_of<IND2SharedReceiveQueue> = IID_IND2SharedReceiveQueue;
template <>
inline constexpr IID ndsim_iid_of<IND2QueuePair> = IID_IND2QueuePair;

#define __uuidof(what) ndsim_iid_of<std::remove_cv_t<std::remove_pointer_t<std::remove_reference_t<__typeof__(what)>>>>
#define IID_PPV_ARGS(address) __uuidof(**(address)), reinterpret_cast<void**>(address)
