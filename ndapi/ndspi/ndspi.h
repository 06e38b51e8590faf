// SPDX-License-Identifier: Apache-2.0
// NDSPI, NetworkDirect's interface for programs, in its versions 1 (IND...) and 2 (IND2...): all that a client
// includes. Names, orders and layouts are the interface's own, so that client sources compile; ndspi.md tells their
// sources.
//
// Providers and their objects are COM interfaces without the rest of COM: a client gets the provider from a class
// factory or opens an adapter with NdOpenAdapter (ndsupport.h), and releases the objects that it gets.
#pragma once

#include "ndapi/ndspi/nddef.h"
#include "ndapi/ndspi/nddef_v1.h"
#include "ndapi/ndspi/nddef_v2.h"
#include "ndapi/ndspi/ndspi_v1_adapter.h"
#include "ndapi/ndspi/ndspi_v1_connections.h"
#include "ndapi/ndspi/ndspi_v1_overlapped.h"
#include "ndapi/ndspi/ndspi_v1_queues.h"
#include "ndapi/ndspi/ndspi_v2_adapter.h"
#include "ndapi/ndspi/ndspi_v2_connections.h"
#include "ndapi/ndspi/ndspi_v2_memory.h"
#include "ndapi/ndspi/ndspi_v2_overlapped.h"
#include "ndapi/ndspi/ndspi_v2_queues.h"
#include "ndapi/ndspi/ndstatus.h"
