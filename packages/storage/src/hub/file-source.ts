import type { FollowedResponse } from "../http/send-following.ts"
import type { HttpHeaders, HttpRequest, HttpResponse } from "../http/transport.ts"
import { parseContentRange } from "../remote/content-range.ts"
import type { RemoteAnswer, RemoteSource } from "../remote/remote-source.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-target.ts"
import { noHub, sendToHub } from "./client.ts"
import type { HubContext } from "./context.ts"
import { hubError, objectHostError } from "./errors.ts"
import { resolvePath } from "./repository.ts"

/** Where the hub has sent to for the bytes, and what it said of them then. */
interface Lead {
  readonly place: Pick<HttpRequest, "origin" | "path">
  readonly said: HubSaid
}

/** Statuses of an address that is good no longer. */
const EXPIRED = new Set([401, 403, 404, 410])

/**
 * One file at the commit, for one read. Where the hub sends to another host, further parts are asked for there until the
 * address expires; then the hub is asked once more.
 */
export function createFileSource(hub: HubContext, path: string, target: RemoteTarget): RemoteSource {
  const { repository, revision } = hub
  let lead: Lead | undefined
  /** The ETag of each other host, which has its own. */
  const etags = new Map<string, string>()

  function accept(answer: FollowedResponse, said: HubSaid): RemoteAnswer {
    const { status, headers, body, request } = answer
    const fault = checkAnswer(answer, said, revision)
    const etag = headers["etag"]
    const known = etags.get(request.origin)
    const isOther = status !== 416 && etag !== undefined && known !== undefined && known !== etag
    if (fault !== undefined || isOther) {
      body.destroy()
      if (isOther) throw remoteError("storage_changed", target, "the file changed while it was read; read it again.")
      throw noHub(target, fault ?? "")
    }
    if (etag !== undefined && request.origin !== repository.origin) etags.set(request.origin, etag)
    return { status: status as RemoteAnswer["status"], headers: { ...headers, [VERSION]: said.digest ?? "" }, body }
  }

  async function followLead(known: Lead, headers: HttpHeaders, signal: AbortSignal): Promise<RemoteAnswer | undefined> {
    const answer = await sendToHub(hub, { ...known.place, headers }, target, signal)
    if (isAnswer(answer.status)) return accept(answer, known.said)
    if (!EXPIRED.has(answer.status)) throw await objectHostError(target, known.place.origin, answer)
    answer.body.destroy()
    if (lead === known) lead = undefined
    return undefined
  }

  async function askHub(headers: HttpHeaders, signal: AbortSignal): Promise<RemoteAnswer> {
    const answer = await sendToHub(hub, { path: resolvePath(repository, revision, path), headers }, target, signal)
    const { request, status } = answer
    if (!isAnswer(status)) {
      // What a hub sends to after it has named the commit is no hub, but holds bytes.
      const isBehind = request.origin !== repository.origin && hubSaid(answer.redirects) !== undefined
      throw isBehind ? await objectHostError(target, request.origin, answer) : await hubError(hub, target, answer)
    }
    // Where no byte is, some hubs name no commit either.
    const said = hubSaid([...answer.redirects, answer]) ?? (status === 416 ? { commit: revision } : undefined)
    if (said === undefined) {
      answer.body.destroy()
      throw noHub(target, "the answer names no commit (X-Repo-Commit)")
    }
    if (request.origin !== repository.origin) lead = { place: { origin: request.origin, path: request.path }, said }
    return accept(answer, said)
  }

  return {
    async ask(range, _first, signal) {
      const headers: HttpHeaders = range === undefined ? {} : { range }
      const answer = lead === undefined ? undefined : await followLead(lead, headers, signal)
      return answer ?? (await askHub(headers, signal))
    },
    versionOf: (headers) => (headers[VERSION] === "" ? undefined : headers[VERSION]),
  }
}

/** Name, made by us, under which the digest that the hub told travels with an answer of any host. */
const VERSION = "x-assay-digest"

function isAnswer(status: number): boolean {
  return status === 200 || status === 206 || status === 416
}

/** What the hub tells of a file, on the answer that holds its bytes or on the one that sends elsewhere for them. */
interface HubSaid {
  readonly commit: string
  /** SHA-256 of a file that lies beside git, git's SHA-1 of one that lies in it; absent where it tells neither. */
  readonly digest?: string
  readonly size?: number
}

/** What was told on the way: by the first answer that names its commit, which redirects of renamed repositories don't. */
function hubSaid(answers: readonly { readonly headers: HttpHeaders }[]): HubSaid | undefined {
  const headers = answers.find(({ headers }) => headers["x-repo-commit"] !== undefined)?.headers
  if (headers === undefined) return undefined
  const digest = opaqueTag(headers["x-linked-etag"] ?? headers["etag"] ?? "")
  const size = headers["x-linked-size"] ?? ""
  return {
    commit: headers["x-repo-commit"] ?? "",
    ...(digest === "" ? {} : { digest }),
    ...(/^\d+$/.test(size) ? { size: Number(size) } : {}),
  }
}

/** Why the answer is not what the hub promised, as the beginning of a sentence; undefined where it is. */
function checkAnswer(
  { status, headers }: Pick<HttpResponse, "status" | "headers">,
  said: HubSaid,
  commit: string,
): string | undefined {
  if (said.commit !== commit) return `it answered with commit '${said.commit}' in place of '${commit}'`
  const encoding = headers["content-encoding"] ?? "identity"
  if (encoding !== "identity") return `the bytes are packed (${encoding}), which was not asked for`
  const size = status === 200 ? Number(headers["content-length"]) : parseContentRange(headers["content-range"]).size
  if (said.size === undefined || size === said.size) return undefined
  return `its bytes are ${size ?? "an unknown number"} in place of the ${said.size} that are told`
}

/** An ETag without its quotes, and without the mark of a weak one: the bytes are asked for as they are stored. */
function opaqueTag(etag: string): string {
  return etag
    .trim()
    .replace(/^W\//, "")
    .replace(/^"(.*)"$/, "$1")
}
