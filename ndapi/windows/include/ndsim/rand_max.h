// SPDX-License-Identifier: Apache-2.0
// The largest number of Windows' rand.
#pragma once

#undef RAND_MAX
#define RAND_MAX 0x7fff
