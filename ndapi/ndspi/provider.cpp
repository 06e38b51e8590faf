// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/provider.hpp"

#include "ndapi/core/socket_address.hpp"
#include "ndapi/ndspi/adapter_ids.hpp"
#include "ndapi/ndspi/returned_data.hpp"
#include "ndapi/ndspi/v1_adapter.hpp"
#include "ndapi/ndspi/v2_adapter.hpp"

namespace ndsim::nd {

namespace {

// INDProvider of a host, which has one adapter.
class Provider1 final : public Face<INDProvider> {
public:
    explicit Provider1(os::Process& process)
        : Face(std::make_shared<Adapter>(process, Version::v1), {IID_INDProvider}) {}

    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST* list, SIZE_T* length) override {
        return put_address_list({driver().ip_address(), 0}, list, length);
    }
    HRESULT OpenAdapter(const sockaddr* address, SIZE_T length, INDAdapter** out) override {
        const auto endpoint = core::endpoint_of(address, length);
        if (!endpoint || endpoint->ip != driver().ip_address()) {
            return ND_INVALID_ADDRESS;
        }
        *out = &make<Adapter1>(driver(), std::make_shared<Adapter>(process(), Version::v1));
        return ND_SUCCESS;
    }

private:
    void leave() override { forget(); }
};

// IND2Provider of a host.
class Provider2 final : public Face<IND2Provider> {
public:
    explicit Provider2(os::Process& process)
        : Face(std::make_shared<Adapter>(process, Version::v2), {IID_IND2Provider}) {}

    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST* list, ULONG* length) override {
        return put_address_list({driver().ip_address(), 0}, list, length);
    }
    HRESULT ResolveAddress(const sockaddr* address, ULONG length, UINT64* id) override {
        const auto endpoint = core::endpoint_of(address, length);
        if (!endpoint || endpoint->ip != driver().ip_address()) {
            return ND_INVALID_ADDRESS;
        }
        *id = adapter_id(driver());
        return ND_SUCCESS;
    }
    HRESULT OpenAdapter(REFIID iid, UINT64 id, VOID** out) override {
        if (id != adapter_id(driver())) {
            return ND_INVALID_PARAMETER;
        }
        return hand_out(make<Adapter2>(driver(), std::make_shared<Adapter>(process(), Version::v2)), iid, out);
    }

private:
    void leave() override { forget(); }
};

}  // namespace

HRESULT create_provider(os::Process& process, REFIID iid, void** out) {
    if (iid == IID_IND2Provider || iid == IID_IUnknown) {
        return hand_out(make<Provider2>(process.driver(), process), iid, out);
    }
    if (iid == IID_INDProvider) {
        return hand_out(make<Provider1>(process.driver(), process), iid, out);
    }
    *out = nullptr;
    return E_NOINTERFACE;
}

}  // namespace ndsim::nd
