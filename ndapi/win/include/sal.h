// SPDX-License-Identifier: Apache-2.0
// Annotations of parameters, old and new. They say nothing to the compilers that build programs here.
#pragma once

// The standard library has parameters with the names __in, __out and __success, so what uses them comes first.
#ifdef __cplusplus
#include <algorithm>
#include <atomic>
#include <iostream>
#include <locale>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <tuple>
#endif

// Those of today, without parameters, with one, with two.
#define _In_
#define _In_opt_
#define _In_z_
#define _In_opt_z_
#define _Out_
#define _Out_opt_
#define _Inout_
#define _Inout_opt_
#define _Inout_z_
#define _Outptr_
#define _Outptr_opt_
#define _Outptr_result_maybenull_
#define _Outptr_opt_result_maybenull_
#define _Outptr_result_z_
#define _COM_Outptr_
#define _COM_Outptr_opt_
#define _COM_Outptr_result_maybenull_
#define _Outref_
#define _Deref_out_
#define _Deref_out_opt_
#define _Deref_opt_out_
#define _Deref_inout_
#define _Ret_maybenull_
#define _Ret_notnull_
#define _Ret_null_
#define _Ret_valid_
#define _Ret_z_
#define _Reserved_
#define _Null_
#define _Notnull_
#define _Maybenull_
#define _Const_
#define _Check_return_
#define _Must_inspect_result_
#define _Printf_format_string_
#define _Scanf_format_string_
#define _Use_decl_annotations_
#define _Points_to_data_
#define _Interlocked_operand_
#define _Literal_
#define _Notref_
#define _Null_terminated_
#define _NullNull_terminated_
#define _Pre_
#define _Post_
#define _Pre_notnull_
#define _Pre_maybenull_
#define _Pre_valid_
#define _Pre_invalid_
#define _Post_valid_
#define _Post_invalid_
#define _Post_ptr_invalid_
#define _Post_notnull_
#define _Post_maybenull_
#define _Post_z_
#define _Prepost_z_
#define _Frees_ptr_
#define _Frees_ptr_opt_
#define _Field_z_
#define _Enum_is_bitflag_
#define _Strict_type_match_
#define _Maybe_raises_SEH_exception_
#define _Raises_SEH_exception_
#define _IRQL_requires_same_

#define _In_reads_(size)
#define _In_reads_opt_(size)
#define _In_reads_z_(size)
#define _In_reads_opt_z_(size)
#define _In_reads_bytes_(size)
#define _In_reads_bytes_opt_(size)
#define _In_reads_or_z_(size)
#define _In_range_(low, high)
#define _Out_writes_(size)
#define _Out_writes_opt_(size)
#define _Out_writes_z_(size)
#define _Out_writes_opt_z_(size)
#define _Out_writes_all_(size)
#define _Out_writes_all_opt_(size)
#define _Out_writes_bytes_(size)
#define _Out_writes_bytes_opt_(size)
#define _Out_writes_bytes_all_(size)
#define _Out_writes_bytes_all_opt_(size)
#define _Out_range_(low, high)
#define _Inout_updates_(size)
#define _Inout_updates_opt_(size)
#define _Inout_updates_z_(size)
#define _Inout_updates_all_(size)
#define _Inout_updates_bytes_(size)
#define _Inout_updates_bytes_opt_(size)
#define _Inout_updates_bytes_all_(size)
#define _Outptr_result_buffer_(size)
#define _Outptr_result_buffer_maybenull_(size)
#define _Outptr_result_bytebuffer_(size)
#define _Outptr_opt_result_buffer_(size)
#define _Outptr_opt_result_bytebuffer_(size)
#define _Ret_range_(low, high)
#define _Ret_writes_(size)
#define _Ret_writes_bytes_(size)
#define _Ret_writes_maybenull_(size)
#define _Ret_writes_bytes_maybenull_(size)
#define _Success_(size)
#define _Return_type_success_(size)
#define _On_failure_(size)
#define _Always_(size)
#define _Pre_satisfies_(size)
#define _Post_satisfies_(size)
#define _Satisfies_(size)
#define _Field_size_(size)
#define _Field_size_opt_(size)
#define _Field_size_full_(size)
#define _Field_size_bytes_(size)
#define _Field_size_bytes_opt_(size)
#define _Field_size_bytes_full_(size)
#define _Field_range_(low, high)
#define _Struct_size_bytes_(size)
#define _Analysis_assume_(size)
#define _Requires_lock_held_(size)
#define _Requires_lock_not_held_(size)
#define _Requires_exclusive_lock_held_(size)
#define _Acquires_lock_(size)
#define _Acquires_exclusive_lock_(size)
#define _Releases_lock_(size)
#define _Releases_exclusive_lock_(size)
#define _Guarded_by_(size)
#define _Write_guarded_by_(size)
#define _Function_class_(size)
#define _Inexpressible_(size)
#define _IRQL_requires_(size)
#define _IRQL_requires_max_(size)
#define _IRQL_requires_min_(size)
#define _Post_readable_size_(size)
#define _Post_readable_byte_size_(size)
#define _Post_writable_size_(size)
#define _Post_writable_byte_size_(size)
#define _Post_equal_to_(size)
#define _Pre_readable_size_(size)
#define _Pre_readable_byte_size_(size)
#define _Pre_writable_size_(size)
#define _Pre_writable_byte_size_(size)
#define _Readable_bytes_(size)
#define _Readable_elements_(size)
#define _Writable_bytes_(size)
#define _Writable_elements_(size)
#define _Group_(size)
#define _Unchanged_(size)

#define _Out_writes_to_(size, written)
#define _Out_writes_to_opt_(size, written)
#define _Out_writes_bytes_to_(size, written)
#define _Out_writes_bytes_to_opt_(size, written)
#define _Inout_updates_to_(size, written)
#define _Inout_updates_to_opt_(size, written)
#define _Inout_updates_bytes_to_(size, written)
#define _Inout_updates_bytes_to_opt_(size, written)
#define _Outptr_result_buffer_to_(size, written)
#define _Outptr_result_bytebuffer_to_(size, written)
#define _Ret_writes_to_(size, written)
#define _Ret_writes_bytes_to_(size, written)
#define _When_(size, written)
#define _At_(size, written)

// Those of before.
#define __in
#define __out
#define __inout
#define __in_opt
#define __out_opt
#define __inout_opt
#define __in_z
#define __in_z_opt
#define __out_z
#define __inout_z
#define __deref_in
#define __deref_in_opt
#define __deref_out
#define __deref_out_opt
#define __deref_opt_out
#define __deref_opt_out_opt
#define __deref_inout
#define __deref_inout_opt
#define __deref_opt_inout
#define __checkReturn
#define __nullterminated
#define __maybenull
#define __callback
#define __fallthrough
#define __notnull
#define __override
#define __format_string

#define __in_ecount(size)
#define __in_ecount_opt(size)
#define __in_bcount(size)
#define __in_bcount_opt(size)
#define __out_ecount(size)
#define __out_ecount_full(size)
#define __out_ecount_opt(size)
#define __out_ecount_full_opt(size)
#define __out_bcount(size)
#define __out_bcount_full(size)
#define __out_bcount_opt(size)
#define __out_bcount_full_opt(size)
#define __inout_ecount(size)
#define __inout_ecount_full(size)
#define __inout_ecount_opt(size)
#define __inout_ecount_full_opt(size)
#define __inout_bcount(size)
#define __inout_bcount_full(size)
#define __inout_bcount_opt(size)
#define __inout_bcount_full_opt(size)
#define __deref_out_ecount(size)
#define __deref_out_bcount(size)
#define __deref_out_ecount_opt(size)
#define __deref_out_bcount_opt(size)
#define __deref_opt_out_ecount(size)
#define __deref_opt_out_bcount(size)
#define __success(size)
#define __field_ecount(size)
#define __field_bcount(size)
#define __field_ecount_opt(size)
#define __field_bcount_opt(size)
#define __field_range(low, high)
#define __in_range(low, high)
#define __out_range(low, high)
#define __analysis_assume(size)

#define __out_ecount_part(size, written)
#define __out_ecount_part_opt(size, written)
#define __out_bcount_part(size, written)
#define __out_bcount_part_opt(size, written)
#define __inout_ecount_part(size, written)
#define __inout_ecount_part_opt(size, written)
#define __inout_bcount_part(size, written)
#define __inout_bcount_part_opt(size, written)
