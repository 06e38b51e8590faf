// SPDX-License-Identifier: Apache-2.0
// The same as objbase.h.
#pragma once

#include "ndapi/win/include/objbase.h"
