// Runs in browsers too. Modules that need Node are entries of their own: `./agent`, `./fetch` and `./transport`.
export { anySignal, linkAbort, type LinkedAbort } from "./abort/linked-signals.ts"
export { unlessAborted, untilAborted } from "./abort/unless-aborted.ts"
export { collectPieces, type CollectedPieces } from "./body/collect-pieces.ts"
export { readEvents, type ReadEventsOptions, type ServerEvent } from "./body/read-events.ts"
export { discardBody, readErrorText, readLimited, type Body, type LimitedBody } from "./body/read-limited.ts"
export {
  causeChain,
  findNetworkReason,
  firstCode,
  networkReason,
  type NetworkReason,
} from "./failure/network-reason.ts"
export { HANDSHAKE_RESET, OLD_TLS_CODES, withHandshakeFailures } from "./failure/tls-handshake.ts"
export { retryAfter, retryDelay, type HeaderSource, type RetryTiming } from "./retry/retry-timing.ts"
export type { Fetch, FetchBody, FetchInit, FetchResponse } from "./send/fetch.ts"
export { flatHeaders, type HttpHeaders, type HttpRequest, type HttpResponse, type Transport } from "./send/transport.ts"
export { type AddressCheck, createHostPolicy, type HostPolicy, type HostPolicyOptions } from "./hosts/host-policy.ts"
export { type HostAddress, type HostRule, parseHostRule } from "./hosts/host-rule.ts"
export { createKeyHosts } from "./hosts/key-hosts.ts"
