// SPDX-License-Identifier: Apache-2.0
// NDKPI, the kernel's NetworkDirect interface, version 2.1: all that a client includes. Names, orders and layouts are
// the interface's own, so that client sources compile; ndkpi.md tells their sources.
//
// For C++ and C: constants differ in kind, names and layouts do not. MDLs are made in C++, and only passed on in C.
//
// A client calls through an object's table: qp->Dispatch->NdkSend(qp, context, &sge, 1, 0).
#pragma once

#include "ndapi/ndk/ndisndk.h"
#include "ndapi/ndk/ndk_callbacks.h"
#include "ndapi/ndk/ndk_connections.h"
#include "ndapi/ndk/ndk_create.h"
#include "ndapi/ndk/ndk_dispatch.h"
#include "ndapi/ndk/ndk_memory.h"
#include "ndapi/ndk/ndk_queues.h"
#include "ndapi/ndk/ndk_results.h"
#include "ndapi/ndk/ndk_types.h"
#include "ndapi/ndk/ndkinfo.h"
#include "ndapi/windows/abi/ntstatus.h"
