import { hasUrlUser, isAssayError } from "@assay/schemas"
import { compareCodePoints, parsePrefix } from "../file-path.ts"
import type { RemoteTarget } from "../remote/remote-error.ts"
import type { ListOptions, StoredFile } from "../storage.ts"
import { askForJson, notAHubError, type HubClient, type HubQuestion } from "./client.ts"
import type { HubContext } from "./context.ts"
import { parseEntry, storedFile, type HubFile } from "./hub-file.ts"
import { encodePath, hubAddress, hubTarget } from "./repository.ts"

/** Lists files. If the prefix is not a folder, it may be a file: in git a path is never both. */
export async function* listFiles(hub: HubContext, options: ListOptions): AsyncGenerator<StoredFile> {
  const { prefix = "", after = "", signal } = options
  signal?.throwIfAborted()
  const isFolder = prefix === "" || prefix.endsWith("/")
  const folder = parsePrefix(prefix)
  const target = hubTarget(hub.repository, "list", prefix)
  const below = await listBelow(hub, folder, target, options)
  const only = below.length > 0 || isFolder ? undefined : await findFile(hub, folder, target, signal)
  for (const file of only === undefined ? below : [only]) {
    if (compareCodePoints(file.path, after) <= 0) continue
    yield storedFile(file)
    signal?.throwIfAborted()
  }
}

/**
 * Lists every file below a folder (empty: all), sorted by path. The hub lists folders before files, so all pages are
 * read and sorted first, with about 200 bytes of memory per file. Returns an empty list if there is no such folder.
 */
async function listBelow(
  hub: HubContext,
  folder: string,
  target: RemoteTarget,
  { signal, onProgress }: Pick<ListOptions, "signal" | "onProgress"> = {},
): Promise<readonly HubFile[]> {
  const remembered = hub.memory.list(folder)
  if (remembered !== undefined) return remembered
  const { repository, revision } = hub
  const { listFiles } = await import("@huggingface/hub")
  const entries = listFiles({
    repo: { type: repository.type, name: repository.encodedId },
    revision,
    // The library does not encode the path.
    path: encodePath(folder),
    recursive: true,
    hubUrl: hubAddress(repository),
    fetch: createHubFetch(hub, target, { signal, onPage: onProgress }),
  })
  const start = folder === "" ? "" : `${folder}/`
  const files: HubFile[] = []
  try {
    for await (const entry of entries) {
      const file = parseEntry(entry)
      if (file !== undefined && file.path.startsWith(start)) files.push(file)
    }
  } catch (error) {
    throwUnlessMissing(error, target, "its listing can't be read", signal)
    return []
  }
  files.sort((a, b) => compareCodePoints(a.path, b.path))
  hub.memory.keep(folder, files)
  return files
}

/** Returns the file at a path, or undefined for a folder or a missing file. */
export async function findFile(
  hub: HubContext,
  path: string,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<HubFile | undefined> {
  const remembered = hub.memory.find(path)
  if (remembered !== undefined) return remembered ?? undefined
  const { repository, revision } = hub
  const { pathsInfo } = await import("@huggingface/hub")
  try {
    const entries = await pathsInfo({
      repo: { type: repository.type, name: repository.encodedId },
      revision,
      paths: [path],
      hubUrl: hubAddress(repository),
      fetch: createHubFetch(hub, target, { signal }),
    })
    return entries.map(parseEntry).find((file) => file?.path === path)
  } catch (error) {
    throwUnlessMissing(error, target, "its description of the path can't be read", signal)
    return undefined
  }
}

/** Throws the error of a call of the client library, unless it says that the object does not exist. */
function throwUnlessMissing(error: unknown, target: RemoteTarget, what: string, signal: AbortSignal | undefined): void {
  // After the deadline, the last refusal of the hub says more than the deadline.
  if (isAssayError(error, "upstream_timeout")) throw error
  signal?.throwIfAborted()
  if (isAssayError(error, "not_found")) return
  throw isAssayError(error) ? error : notAHubError(target, what, error)
}

interface HubFetchOptions {
  readonly signal?: AbortSignal | undefined
  /** Called after each complete response. */
  readonly onPage?: (() => void) | undefined
}

/**
 * Creates the `fetch` that the hub's client library uses for one operation. It sends through our transport with
 * retries, limits and cancellation. It adds the token, because the library accepts only tokens that begin with `hf_`.
 * It converts refusals to errors while their headers are available. The address of the next page is made absolute,
 * because the library treats a relative one as the end of the listing.
 */
function createHubFetch(client: HubClient, target: RemoteTarget, { signal, onPage }: HubFetchOptions): typeof fetch {
  const asked = new Set<string>()
  return async (input, { method, body } = {}) => {
    const { origin, pathname, search, href } = new URL(input instanceof Request ? input.url : input)
    if (hasUrlUser(href))
      throw notAHubError(target, "the pages of its listing lead to an address with a user name or a password")
    if (method !== "POST" && asked.has(href)) throw notAHubError(target, "the pages of its listing form a circle")
    asked.add(href)
    const question: HubQuestion = { origin, path: pathname + search }
    const posted: HubQuestion | undefined =
      method === "POST" && typeof body === "string"
        ? { ...question, method, body: Buffer.from(body), headers: { "content-type": "application/json" } }
        : undefined
    const answer = await askForJson(client, posted ?? question, target, signal)
    onPage?.()
    const next = nextPage(answer.headers["link"], answer.url)
    const headers = { "content-type": "application/json", ...(next === undefined ? {} : { link: next }) }
    return new Response(answer.text, { headers })
  }
}

/**
 * Returns a `Link` header (RFC 8288) with only the absolute address of the next page, or undefined on the last page.
 */
function nextPage(link: string | undefined, base: string): string | undefined {
  const found = /<([^>]*)>\s*;[^<]*\brel\s*=\s*"?next\b/i.exec(link ?? "")?.[1]
  const url = found === undefined ? null : URL.parse(found, base)
  return url === null ? undefined : `<${url.href}>; rel="next"`
}
