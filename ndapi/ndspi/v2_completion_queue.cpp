// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v2_completion_queue.hpp"

#include "ndapi/core/take_results.hpp"
#include "ndapi/ndspi/completion_queues.hpp"

namespace ndsim::nd {

namespace {

ND2_REQUEST_TYPE type_of(OperationKind kind) {
    switch (kind) {
        case OperationKind::receive:
            return Nd2RequestTypeReceive;
        case OperationKind::read:
            return Nd2RequestTypeRead;
        case OperationKind::write:
            return Nd2RequestTypeWrite;
        case OperationKind::bind:
            return Nd2RequestTypeBind;
        case OperationKind::invalidate:
            return Nd2RequestTypeInvalidate;
        case OperationKind::send:
        case OperationKind::fast_register:  // the interface has none
            break;
    }
    return Nd2RequestTypeSend;
}

}  // namespace

CompletionQueue2::CompletionQueue2(const AdapterPtr& adapter, std::shared_ptr<os::File> file, std::uint32_t depth)
    : Overlapped2(adapter, std::move(file), IID_IND2CompletionQueue),
      core_(adapter->driver, depth, [this](NTSTATUS status) { notifier_.told(status); }) {
    set_arms(core_);
}

void CompletionQueue2::leave() {
    requests().cancel();  // R88
    notifier_.cancelled();
    close(core_);
}

HRESULT CompletionQueue2::GetNotifyAffinity(USHORT*, KAFFINITY*) {
    return ND_NOT_SUPPORTED;
}

HRESULT CompletionQueue2::Resize(ULONG depth) {
    return resize(core_, depth, Rounding::field);
}

HRESULT CompletionQueue2::Notify(ULONG type, OVERLAPPED* overlapped) {
    return notifier_.notify(type, *overlapped);
}

ULONG CompletionQueue2::GetResults(ND2_RESULT results[], ULONG count) {
    const auto take = [&](const core::Completion& completion, std::size_t place) {
        results[place] = {completion.status, completion.bytes, completion.qp_context, completion.request_context,
                          type_of(completion.kind)};
        return true;
    };
    return static_cast<ULONG>(core::take_results(core_, count, take));
}

}  // namespace ndsim::nd
