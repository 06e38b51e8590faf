// SPDX-License-Identifier: Apache-2.0
// What Windows' compiler takes as words of the language. They are there before a source includes anything: programs are
// compiled with this file included first.
#pragma once

// Attributes by their names; those that are not here are errors.
#define __declspec(attribute) ndsim_declspec_##attribute
#define ndsim_declspec_align(bytes) __attribute__((aligned(bytes)))
#define ndsim_declspec_noinline __attribute__((noinline))
#define ndsim_declspec_noreturn __attribute__((noreturn))
#define ndsim_declspec_selectany __attribute__((weak))
#define ndsim_declspec_deprecated(text)
#define ndsim_declspec_uuid(id)
#define ndsim_declspec_allocator
#define ndsim_declspec_dllexport
#define ndsim_declspec_dllimport
#define ndsim_declspec_empty_bases
#define ndsim_declspec_noalias
#define ndsim_declspec_nothrow
#define ndsim_declspec_novtable
#define ndsim_declspec_restrict
#define ndsim_declspec_safebuffers
#ifdef __cplusplus
#define ndsim_declspec_thread thread_local
#else
#define ndsim_declspec_thread _Thread_local
#endif
#define __cdecl
#define _cdecl
#define __stdcall
#define __fastcall
#define __thiscall
#define __vectorcall
#define __forceinline inline
#define _inline inline
#define __w64
#define __unaligned
#define __ptr32
#define __ptr64
#define __sptr
#define __uptr
#ifndef __pragma
#define __pragma(text)
#endif
#define __assume(condition) ((void)0)
#define __noop ((void)0)
#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long  // as INT64 is, so that both go together

// A length of Winsock's is an int. The C library's headers would make it unsigned, and leave one alone that is there.
#ifndef __socklen_t_defined
typedef int socklen_t;
#define __socklen_t_defined
#endif
