import { maskUrlUser, PUBLIC_HUB_ENDPOINT, type HubStorageConfiguration } from "@assay/schemas"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { quotePath } from "../quote-path.ts"

/** Which repository of which hub, as requests and messages need it. */
export interface HubRepository {
  /** Scheme, host and port of the hub. */
  readonly origin: string
  /** What all of its paths begin with; empty at the public hub. */
  readonly prefix: string
  readonly type: "model" | "dataset" | "space"
  readonly id: string
  /** The same, percent-encoded by segment. */
  readonly encodedId: string
}

/** What is before the id in addresses of pages and files. */
const PLACES = { model: "", dataset: "datasets/", space: "spaces/" } as const
/** What separates names in addresses, or ends them. */
const SEPARATOR = /[\s\\:?#%]|\p{C}/u

/** The repository that a configuration names. @throws `upstream_misconfigured` for an address or an id that is none */
export function hubRepository(config: HubStorageConfiguration): HubRepository {
  const { repo_id: id, repo_type: type = "model", endpoint = PUBLIC_HUB_ENDPOINT } = config
  const url = URL.parse(endpoint)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "") {
    const shown = quotePath(maskUrlUser(endpoint))
    throw misconfigured(`endpoint ${shown} is no address; write it like '${PUBLIC_HUB_ENDPOINT}'.`)
  }
  const segments = id.split("/")
  const isId = segments.length <= 2 && segments.every((name) => !/^\.{0,2}$/.test(name) && !SEPARATOR.test(name))
  if (!isId) {
    const what = `repo_id ${quotePath(id)} is no id; write it 'owner/name', without an address, and what it is in repo_type.`
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
  return remoteError("upstream_misconfigured", { storage: "hub", place: "its configuration", operation: "open" }, what)
}

/** Address of the hub, without a slash at its end. */
export function hubAddress({ origin, prefix }: HubRepository): string {
  return origin + prefix
}

/** The web page of the repository, on which access is asked for. */
export function repositoryPage(repository: HubRepository): string {
  return `${hubAddress(repository)}/${PLACES[repository.type]}${repository.encodedId}`
}

/** Path at which the hub tells what a revision is: its commit, and no list of all its files. */
export function revisionPath({ prefix, type, encodedId }: HubRepository, revision: string): string {
  return `${prefix}/api/${type}s/${encodedId}/revision/${encodeURIComponent(revision)}?expand=sha`
}

/** Path of the bytes of a file. */
export function resolvePath({ prefix, type, encodedId }: HubRepository, commit: string, path: string): string {
  return `${prefix}/${PLACES[type]}${encodedId}/resolve/${commit}/${encodePath(path)}`
}

/** A path within the repository, percent-encoded by segment. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/")
}

/** What is being done to the repository, for messages. */
export function hubTarget(
  repository: HubRepository,
  operation: RemoteTarget["operation"],
  path?: string,
): RemoteTarget {
  const place = `${repository.type} '${repository.id}' at ${hubAddress(repository)}`
  return { storage: "hub", place, operation, ...(path === undefined || path === "" ? {} : { path }) }
}
