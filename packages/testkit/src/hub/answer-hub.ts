import { authenticate, refuseAccess } from "./check-access.ts"
import type { Exchange } from "./exchange.ts"
import { type HubAnswer, errorAnswer, jsonAnswer, pageAnswer, rangedAnswer } from "./hub-answer.ts"
import type { HubAddress } from "./hub-request.ts"
import { type StoredRepository, repositoryKey } from "./stored-repository.ts"
import { entryAt, listTree } from "./tree-entries.ts"

export interface HubState extends Omit<Exchange, "address" | "caller" | "repository" | "commit"> {
  readonly address: HubAddress | undefined
  /** By type and id. */
  readonly repositories: ReadonlyMap<string, StoredRepository>
  /** Origin of the host of large files. */
  readonly objectHost: string
}

const METHODS: Readonly<Record<HubAddress["operation"], readonly string[]>> = {
  info: ["GET", "HEAD"],
  tree: ["GET", "HEAD"],
  "paths-info": ["POST"],
  resolve: ["GET", "HEAD"],
  "resolve-cache": ["GET", "HEAD"],
  whoami: ["GET"],
}

type Operation = (exchange: Exchange, objectHost: string) => HubAnswer

const OPERATIONS: Readonly<Record<Exclude<HubAddress["operation"], "whoami">, Operation>> = {
  info: repositoryInfo,
  tree: listTree,
  "paths-info": pathsInfo,
  resolve: resolveFile,
  "resolve-cache": resolveFile,
}

/** Answers a request in the order of the hub: caller, repository, revision, operation. */
export function answerHub(state: HubState): HubAnswer {
  const { address, request, settings, repositories } = state
  if (address === undefined) return pageAnswer(404)
  if (!METHODS[address.operation].includes(request.method)) return errorAnswer(405, "Method not allowed")
  const known = authenticate(request.headers["authorization"], settings.tokens)
  if ("refusal" in known) return known.refusal
  const { caller } = known
  if (address.operation === "whoami") {
    return caller === undefined
      ? errorAnswer(401, "Invalid username or password.")
      : jsonAnswer(200, { type: "user", name: "reader", auth: { type: "access_token" } })
  }
  const moved = [...repositories.values()].find(
    ({ type, formerIds }) => type === address.type && formerIds.includes(address.id),
  )
  if (moved !== undefined) return movedAnswer(request.url, address.id, moved.id)
  const repository = repositories.get(repositoryKey(address.type, address.id))
  const wantsBytes = address.operation === "resolve" || address.operation === "resolve-cache"
  const refusal = refuseAccess(repository, caller, wantsBytes ? "bytes" : "listing")
  if (refusal !== undefined || repository === undefined) return refusal ?? pageAnswer(404)
  const commit = repository.find(address.revision)
  if (commit === undefined) {
    return errorAnswer(404, `Invalid rev id: ${address.revision}`, { code: "RevisionNotFound" })
  }
  return OPERATIONS[address.operation]({ ...state, address, caller, repository, commit }, state.objectHost)
}

/** Returns the same address with the new name, without a host. */
function movedAnswer(url: string, former: string, id: string): HubAnswer {
  const location = url.replace(former, id)
  return { status: 307, headers: { location }, body: Buffer.from(`Temporary Redirect. Redirecting to ${location}`) }
}

/** Describes the paths of the body (JSON or a form). Missing paths are left out. */
function pathsInfo({ request, commit }: Exchange): HubAnswer {
  const paths = requestedPaths(request.headers["content-type"] ?? "", request.body.toString())
  if (paths === undefined) return errorAnswer(400, '"paths" is required')
  return jsonAnswer(
    200,
    paths.map((path) => entryAt(commit, path)).filter((entry) => entry !== undefined),
  )
}

function requestedPaths(type: string, body: string): readonly string[] | undefined {
  if (type.startsWith("application/x-www-form-urlencoded")) return new URLSearchParams(body).getAll("paths")
  if (!type.startsWith("application/json")) return undefined
  try {
    const { paths } = JSON.parse(body) as { readonly paths?: unknown }
    return Array.isArray(paths) && paths.every((path) => typeof path === "string") ? paths : undefined
  } catch {
    return undefined
  }
}

/** Describes a repository at a revision; with `expand`, only the named fields. */
function repositoryInfo({ address, repository, commit }: Exchange): HubAnswer {
  const { id, gated, disabled } = repository
  const known: Record<string, unknown> = {
    author: id.split("/")[0],
    sha: commit.sha,
    lastModified: "2026-01-02T03:04:05.000Z",
    createdAt: "2026-01-02T03:04:05.000Z",
    private: repository.private,
    gated,
    disabled,
    tags: [],
    downloads: 0,
    likes: 0,
    siblings: [...commit.files.keys()].map((rfilename) => ({ rfilename })),
  }
  const names = address.query.getAll("expand")
  const wanted = names.length === 0 ? known : Object.fromEntries(names.map((name) => [name, known[name]]))
  return jsonAnswer(200, { _id: "000000000000000000000000", id, ...wanted })
}

/** Returns the bytes of a file in git, or the address of another file. */
function resolveFile(exchange: Exchange, objectHost: string): HubAnswer {
  const { request, address, commit, repository, settings, faults, addresses, url } = exchange
  const { path, operation } = address
  const headers = { "x-repo-commit": commit.sha }
  const file = commit.files.get(path)
  if (file === undefined) return errorAnswer(404, "Entry not found", { code: "EntryNotFound", headers })
  const { bytes, oid, lfs } = file
  const linked = { ...headers, "x-linked-size": String(bytes.byteLength) }
  const body = Buffer.from("Found. Redirecting.")
  if (lfs !== undefined) {
    const location = objectHost + addresses.sign(lfs.oid)
    const found = { ...linked, "x-linked-etag": `"${lfs.oid}"`, etag: `"${oid}"`, "accept-ranges": "bytes", location }
    return { status: 302, headers: found, body }
  }
  if (settings.resolveCache && operation === "resolve") {
    const segments = [`${repository.type}s`, repository.id, commit.sha, ...path.split("/").map(encodeURIComponent)]
    const location = `${new URL(url).pathname.replace(/\/$/, "")}/api/resolve-cache/${segments.join("/")}`
    return { status: 307, headers: { ...linked, "x-linked-etag": `"${oid}"`, location }, body }
  }
  const range = faults("ignore-range") === undefined ? request.headers["range"] : undefined
  return rangedAnswer(bytes, range, { ...headers, etag: `"${oid}"` })
}
