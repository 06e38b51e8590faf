// SPDX-License-Identifier: Apache-2.0
// GUID_NULL.
#pragma once

#include "ndapi/windows/include/unknwn.h"
