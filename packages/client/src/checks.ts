export { checkBackends, type CheckedBackends, type CheckOptions } from "./checks/check-backends.ts"
export { checkEndpoints, type CheckEndpointsOptions } from "./checks/check-endpoints.ts"
