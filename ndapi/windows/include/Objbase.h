// SPDX-License-Identifier: Apache-2.0
// The same as objbase.h.
#pragma once

#include "ndapi/windows/include/objbase.h"
