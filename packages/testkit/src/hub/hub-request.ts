import type { RepositoryType } from "./fake-hub-options.ts"

/** A request as it arrived. */
export interface HubRequest {
  /** The hub itself, or the host of large files. */
  readonly host: "hub" | "cdn"
  readonly method: string
  /** Path and query, exactly as sent. */
  readonly url: string
  /** Names in lower case. Repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The operation; empty for an unknown address. */
  readonly operation: HubOperation | ""
}

export type HubOperation = "info" | "tree" | "paths-info" | "resolve" | "resolve-cache" | "whoami" | "object"

/** A parsed address of the hub. */
export interface HubAddress {
  readonly operation: Exclude<HubOperation, "object">
  readonly type: RepositoryType
  readonly id: string
  readonly revision: string
  /** Within the repository; empty for its root. */
  readonly path: string
  readonly query: URLSearchParams
}

const TYPES: Readonly<Record<string, RepositoryType>> = { models: "model", datasets: "dataset", spaces: "space" }
const OPERATIONS: Readonly<Record<string, HubAddress["operation"]>> = {
  revision: "info",
  tree: "tree",
  "paths-info": "paths-info",
}

/**
 * Reads path and query. Splits the path into segments before it decodes them once: a slash within a
 * revision has to be sent as `%2F`. Returns undefined for an address that the hub does not have, and for wrong percent-encoding.
 */
export function parseAddress(url: string, pathPrefix: string): HubAddress | undefined {
  const [rawPath = "", ...rest] = url.split("?")
  const query = new URLSearchParams(rest.join("?"))
  if (!rawPath.startsWith(`${pathPrefix}/`)) return undefined
  const segments = decodeSegments(rawPath.slice(pathPrefix.length + 1))
  if (segments === undefined) return undefined
  const found = segments[0] === "api" ? parseApi(segments.slice(1)) : parseResolve(segments)
  return found === undefined ? undefined : { ...found, query }
}

function parseApi(segments: readonly string[]): Omit<HubAddress, "query"> | undefined {
  if (segments.join("/") === "whoami-v2") return { operation: "whoami", type: "model", id: "", revision: "", path: "" }
  if (segments[0] === "resolve-cache") {
    const type = TYPES[segments[1] ?? ""]
    const at = segments.findIndex((segment) => /^[0-9a-f]{40}$/.test(segment))
    const [revision = "", ...path] = segments.slice(at)
    const id = segments.slice(2, at).join("/")
    return type && { operation: "resolve-cache", type, id, revision, path: path.join("/") }
  }
  const type = TYPES[segments[0] ?? ""]
  if (type === undefined) return undefined
  const at = segments.findIndex((segment, index) => (index === 2 || index === 3) && segment in OPERATIONS)
  if (at < 0) return { operation: "info", type, id: segments.slice(1).join("/"), revision: "main", path: "" }
  const [word = "", revision = "", ...path] = segments.slice(at)
  const operation = OPERATIONS[word]
  return operation && { operation, type, id: segments.slice(1, at).join("/"), revision, path: path.join("/") }
}

function parseResolve(segments: readonly string[]): Omit<HubAddress, "query"> | undefined {
  const [first = ""] = segments
  const type = first === "models" ? undefined : TYPES[first]
  const rest = type === undefined ? segments : segments.slice(1)
  const at = rest.findIndex((segment, index) => (index === 1 || index === 2) && segment === "resolve")
  const [, revision, ...path] = at < 0 ? [] : rest.slice(at)
  if (revision === undefined || path.length === 0) return undefined
  return {
    operation: "resolve",
    type: type ?? "model",
    id: rest.slice(0, at).join("/"),
    revision,
    path: path.join("/"),
  }
}

function decodeSegments(path: string): readonly string[] | undefined {
  if (/[^\x21-\x7e]/.test(path)) return undefined
  try {
    return path.split("/").map(decodeURIComponent)
  } catch {
    return undefined
  }
}
