// Needs Node: connections, agents, the policy for hosts, and what a server does with requests and responses.
export { decodeContent, isEncoded, UndecodableContent } from "./body/decode-content.ts"
export { openAgent } from "./send/open-agent.ts"
export { createGuardedAgent, type GuardedAgentOptions } from "./hosts/guarded-agent.ts"
export { createHttpFetch, type HttpFetchOptions } from "./send/create-http-fetch.ts"
export { createTransport, type TransportOptions } from "./send/create-transport.ts"
export { clientKey } from "./server/client-key.ts"
export { clientSignal } from "./server/client-signal.ts"
export { announcedDigests, checkDigests, parseSha256 } from "./server/content-digest.ts"
export { contentTypeOf } from "./server/content-type.ts"
export { factsOf, type FileFacts, fileHeaders } from "./server/file-facts.ts"
export { createOutgoingBytes, type OutgoingBytes, SMALL_RESPONSE } from "./server/outgoing-bytes.ts"
export {
  checkDeleteConditions,
  checkReadConditions,
  hasConditions,
  rangeApplies,
  writeConditions,
} from "./server/preconditions.ts"
export { checkAnnouncedLength, requestBytes } from "./server/request-bytes.ts"
export { parseAllowedOrigins, requestOrigin } from "./server/request-origin.ts"
export { SAFE_METHODS } from "./server/safe-methods.ts"
export { parseTrustedProxies, type TrustedProxies } from "./server/trusted-proxies.ts"
export { uploadBody } from "./server/upload-body.ts"
export { EVENT_HEADERS, writeEvents, writePieces } from "./server/write-response.ts"
export { type AddressCheck, createHostPolicy, type HostPolicy } from "./hosts/host-policy.ts"
export { type HostRule, parseHostRule } from "./hosts/host-rule.ts"
export { createKeyHosts } from "./hosts/key-hosts.ts"
