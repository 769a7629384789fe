import type { FastifyRequest } from "fastify"

/** Path of the hub endpoint. Clients are configured with it as `HF_ENDPOINT` or `hubUrl`. */
export const HUB_PREFIX = "/apis/files/v2/hf"

/** Path of the same endpoint for clients of the platform's first version. */
const HUB_V1_PREFIX = "/v1/hf"

/**
 * Returns the URL of the endpoint as the sender of `request` sees it. A proxy in front can use TLS and another name. Fastify
 * reads both from headers of proxies in ASSAY_TRUST_PROXY only, because other clients could forge them.
 */
export function hubUrl({ protocol, host, url }: FastifyRequest): string {
  return `${protocol}://${host}${url.startsWith(`${HUB_V1_PREFIX}/`) ? HUB_V1_PREFIX : HUB_PREFIX}`
}
