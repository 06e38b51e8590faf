// SPDX-License-Identifier: Apache-2.0
// What a program hands to threads of the system: calls, completions, timers. They are threads of the program here, each
// on a core of its own: there are as many as there is work at a time, until no core is left. For C++ and C.
#pragma once

#include "ndapi/windows/abi/names.h"
#include "ndapi/windows/abi/threads.h"

typedef void (*LPOVERLAPPED_COMPLETION_ROUTINE)(DWORD error, DWORD bytes, LPOVERLAPPED overlapped);
typedef void (*WAITORTIMERCALLBACK)(PVOID context, BOOLEAN by_timer);

typedef struct _TP_CALLBACK_INSTANCE* PTP_CALLBACK_INSTANCE;
typedef struct _TP_CALLBACK_ENVIRON* PTP_CALLBACK_ENVIRON;
typedef struct _TP_WORK TP_WORK, *PTP_WORK;
typedef void (*PTP_WORK_CALLBACK)(PTP_CALLBACK_INSTANCE instance, PVOID context, PTP_WORK work);
typedef void (*PTP_SIMPLE_CALLBACK)(PTP_CALLBACK_INSTANCE instance, PVOID context);

#ifdef __cplusplus
extern "C" {
#endif

BOOL QueueUserWorkItem(LPTHREAD_START_ROUTINE function, PVOID context, ULONG flags);
// The routine is called with each completion of the file. Its error is a status, as RtlNtStatusToDosError takes it.
BOOL BindIoCompletionCallback(HANDLE file, LPOVERLAPPED_COMPLETION_ROUTINE routine, ULONG flags);

// There is one pool, so environments have no effect.
BOOL TrySubmitThreadpoolCallback(PTP_SIMPLE_CALLBACK callback, PVOID context, PTP_CALLBACK_ENVIRON environment);
PTP_WORK CreateThreadpoolWork(PTP_WORK_CALLBACK callback, PVOID context, PTP_CALLBACK_ENVIRON environment);
void SubmitThreadpoolWork(PTP_WORK work);
// Until all that was submitted has ended; with `cancel` what has not begun never does.
void WaitForThreadpoolWorkCallbacks(PTP_WORK work, BOOL cancel);
// At once, or when all that was submitted has ended.
void CloseThreadpoolWork(PTP_WORK work);

// Calls the function after `due` milliseconds, and then every `period` unless that is 0; each timer has a thread.
BOOL CreateTimerQueueTimer(PHANDLE timer, HANDLE queue, WAITORTIMERCALLBACK function, PVOID context, DWORD due,
                           DWORD period, ULONG flags);
// With INVALID_HANDLE_VALUE it returns when no call is under way; an event is set then.
BOOL DeleteTimerQueueTimer(HANDLE queue, HANDLE timer, HANDLE completion);

#ifdef __cplusplus
}
#endif
