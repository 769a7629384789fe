import { AssayError } from "@assay/schemas"
import type { FastifyRequest } from "fastify"

/** Where the endpoint is mounted: clients get it as `HF_ENDPOINT` or `hubUrl`. */
export const HUB_PREFIX = "/apis/files/v2/hf"

/** Where clients of the platform's first version look for it. */
export const HUB_V1_PREFIX = "/v1/hf"

/**
 * The endpoint as the sender of `request` reaches it. A proxy in front may use TLS and another name. Fastify takes both
 * from headers of proxies on ASSAY_TRUST_PROXY only: anybody else could send other clients elsewhere with them.
 */
export function hubUrl({ protocol, host, url }: FastifyRequest): string {
  return `${protocol}://${host}${url.startsWith(`${HUB_V1_PREFIX}/`) ? HUB_V1_PREFIX : HUB_PREFIX}`
}

/** The page of a repository; models stand without their type. */
export function repositoryUrl(request: FastifyRequest, type: string, id: string): string {
  return `${hubUrl(request)}/${type === "models" ? "" : `${type}/`}${id}`
}

/** The one branch that there is, in every spelling. */
const MAIN: ReadonlySet<string> = new Set(["main", "HEAD", "refs/heads/main"])

/** A revision of the hub as the registry's: undefined for what is there now. */
export function parseRevision(revision: string | undefined): string | undefined {
  return revision === undefined || MAIN.has(revision) ? undefined : revision
}

/** Only what is there now can be written. @throws `not_found` for every other revision */
export function checkBranch(revision: string): void {
  if (parseRevision(revision) === undefined) return
  throw new AssayError("not_found", `There is no branch '${revision}' here; commit to main.`, { context: { revision } })
}
