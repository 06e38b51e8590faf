// SPDX-License-Identifier: Apache-2.0
// The STATUS_ values. They are constants, so that WIN32_NO_STATUS before an earlier windows.h makes no difference.
#pragma once

#include "ndapi/windows/abi/ntstatus.h"
