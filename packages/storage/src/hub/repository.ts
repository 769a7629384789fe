import { maskUrlUser, PUBLIC_HUB_ENDPOINT, type HubStorageConfiguration } from "@assay/schemas"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { quotePath } from "../file-path.ts"

/** The repository and its hub, in the form that requests and messages need. */
export interface HubRepository {
  /** Scheme, host and port of the hub. */
  readonly origin: string
  /** The prefix of all paths. Empty for the public hub. */
  readonly prefix: string
  readonly type: "model" | "dataset" | "space"
  readonly id: string
  /** The id with percent-encoded segments. */
  readonly encodedId: string
}

/** The part before the id in addresses of pages and files. */
const PREFIXES = { model: "", dataset: "datasets/", space: "spaces/" } as const
/** Characters that separate or end names in addresses. */
const SEPARATOR = /[\s\\:?#%]|\p{C}/u

/**
 * Returns the repository that a configuration names.
 * @throws `upstream_misconfigured` for an invalid address or id
 */
export function hubRepository(config: HubStorageConfiguration): HubRepository {
  const { repo_id: id, repo_type: type = "model", endpoint = PUBLIC_HUB_ENDPOINT } = config
  const url = URL.parse(endpoint)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "") {
    const shown = quotePath(maskUrlUser(endpoint))
    throw misconfigured(`endpoint ${shown} is not an address; write it like '${PUBLIC_HUB_ENDPOINT}'.`)
  }
  const segments = id.split("/")
  const isId = segments.length <= 2 && segments.every((name) => !/^\.{0,2}$/.test(name) && !SEPARATOR.test(name))
  if (!isId) {
    const what = `repo_id ${quotePath(id)} is not an id; write it 'owner/name', without an address, and what it is in repo_type.`
    throw misconfigured(what)
  }
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/\/+$/, ""),
    type,
    id,
    encodedId: segments.map(encodeURIComponent).join("/"),
  }
}

function misconfigured(what: string): Error {
  return remoteError(
    "upstream_misconfigured",
    { storage: "hub", location: "its configuration", operation: "open" },
    what,
  )
}

/** Returns the address of the hub, without a trailing slash. */
export function hubAddress({ origin, prefix }: HubRepository): string {
  return origin + prefix
}

/** Returns the web page of the repository, on which users request access. */
export function repositoryPage(repository: HubRepository): string {
  return `${hubAddress(repository)}/${PREFIXES[repository.type]}${repository.encodedId}`
}

/** Returns the path that resolves a revision to its commit, without a list of all files. */
export function revisionPath({ prefix, type, encodedId }: HubRepository, revision: string): string {
  return `${prefix}/api/${type}s/${encodedId}/revision/${encodeURIComponent(revision)}?expand=sha`
}

/** Returns the path of the bytes of a file. */
export function resolvePath({ prefix, type, encodedId }: HubRepository, commit: string, path: string): string {
  return `${prefix}/${PREFIXES[type]}${encodedId}/resolve/${commit}/${encodePath(path)}`
}

/** Percent-encodes the segments of a path in the repository. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/")
}

/** Describes the operation on the repository, for messages. */
export function hubTarget(
  repository: HubRepository,
  operation: RemoteTarget["operation"],
  path?: string,
): RemoteTarget {
  const location = `${repository.type} '${repository.id}' at ${hubAddress(repository)}`
  return { storage: "hub", location, operation, ...(path === undefined || path === "" ? {} : { path }) }
}
