import type { HttpHeaders, HttpRequest } from "@assay/http"
import type { RemoteAnswer, RemoteSource } from "../remote/open-remote-read.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import type { FollowedResponse } from "../remote/send-following.ts"
import { checkAnswer, hubSaid, type HubSaid } from "./check-answer.ts"
import { noHub, sendToHub } from "./client.ts"
import { hubError, objectHostError } from "./errors.ts"
import type { HubContext } from "./hub-context.ts"
import { resolvePath } from "./hub-repository.ts"

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
