// SPDX-License-Identifier: Apache-2.0
// The same as versionhelpers.h.
#pragma once

#include "ndapi/windows/include/versionhelpers.h"
