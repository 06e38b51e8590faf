// SPDX-License-Identifier: Apache-2.0
// NDSPI for programs in C, which call qp->lpVtbl->Send(qp, context, &sge, 1, 0). The objects are those of the C++
// headers, seen from C. A program includes the Windows types, IUnknown and struct sockaddr before this header.
#pragma once

#include "ndapi/ndspi/c/ndspi_v1.h"
#include "ndapi/ndspi/c/ndspi_v2.h"
#include "ndapi/ndspi/nddef.h"
#include "ndapi/ndspi/ndspi_iids.h"
#include "ndapi/ndspi/ndstatus.h"
