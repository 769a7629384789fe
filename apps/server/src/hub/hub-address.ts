import { AssayError } from "@assay/schemas"
import type { FastifyRequest } from "fastify"

/** Path of the hub endpoint. Clients are configured with it as `HF_ENDPOINT` or `hubUrl`. */
export const HUB_PREFIX = "/apis/files/v2/hf"

/** Path of the same endpoint for clients of the platform's first version. */
export const HUB_V1_PREFIX = "/v1/hf"

/**
 * Returns the URL of the endpoint as the sender of `request` sees it. A proxy in front can use TLS and another name. Fastify
 * reads both from headers of proxies in ASSAY_TRUST_PROXY only, because other clients could forge them.
 */
export function hubUrl({ protocol, host, url }: FastifyRequest): string {
  return `${protocol}://${host}${url.startsWith(`${HUB_V1_PREFIX}/`) ? HUB_V1_PREFIX : HUB_PREFIX}`
}

/** Returns the URL of a repository. URLs of models do not contain the type. */
export function repositoryUrl(request: FastifyRequest, type: string, id: string): string {
  return `${hubUrl(request)}/${type === "models" ? "" : `${type}/`}${id}`
}

/** All spellings of the only branch. */
const MAIN: ReadonlySet<string> = new Set(["main", "HEAD", "refs/heads/main"])

/** Converts a revision of the hub for the registry; undefined means the current one. */
export function parseRevision(revision: string | undefined): string | undefined {
  return revision === undefined || MAIN.has(revision) ? undefined : revision
}

/** Checks that `revision` is the only branch that can be written, `main`. @throws `not_found` for every other revision */
export function checkBranch(revision: string): void {
  if (parseRevision(revision) === undefined) return
  throw new AssayError("not_found", `There is no branch '${revision}' here; commit to main.`, { context: { revision } })
}
