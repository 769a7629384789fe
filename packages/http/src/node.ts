// Entry of `@assay/http/node`: the transports, which run on Node alone.
export { createHttpFetch, type HttpFetchOptions } from "./send/create-http-fetch.ts"
export { createTransport, type TransportOptions } from "./send/create-transport.ts"
export { createTrustedContext, openAgent, type AgentOptions } from "./send/open-agent.ts"
