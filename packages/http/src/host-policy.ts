export { createHostPolicy, type AddressCheck, type HostPolicy, type HostPolicyOptions } from "./hosts/host-policy.ts"
export { parseHostRule, type HostAddress, type HostRule } from "./hosts/host-rule.ts"
export { createKeyHosts } from "./hosts/key-hosts.ts"
