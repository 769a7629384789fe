import type { HttpHeaders, HttpRequest, HttpResponse } from "@assay/http"
import { parseContentRange } from "../byte-range.ts"
import type { RemoteAnswer, RemoteSource } from "../remote/open-remote-read.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import type { FollowedResponse } from "../remote/send-following.ts"
import { notAHubError, sendToHub } from "./client.ts"
import type { HubContext } from "./context.ts"
import { hubError, objectHostError } from "./errors.ts"
import { resolvePath } from "./repository.ts"

/** The address to which the hub redirected for the bytes, and what it said about the file. */
interface Lead {
  readonly objectRequest: Pick<HttpRequest, "origin" | "path">
  readonly said: HubStatements
}

/** Statuses of an expired address. */
const EXPIRED = new Set([401, 403, 404, 410])

/**
 * Creates the source of one file at the commit, for one read. If the hub redirects to another host, further parts are
 * requested there until the address expires. Then the hub is asked once more.
 */
export function createFileSource(hub: HubContext, path: string, target: RemoteTarget): RemoteSource {
  const { repository, revision } = hub
  let lead: Lead | undefined
  /** The ETag of each other host. Each host has its own. */
  const etags = new Map<string, string>()

  function accept(answer: FollowedResponse, said: HubStatements): RemoteAnswer {
    const { status, headers, body, request } = answer
    const fault = checkAnswer(answer, said, revision)
    const etag = headers["etag"]
    const known = etags.get(request.origin)
    const isOther = status !== 416 && etag !== undefined && known !== undefined && known !== etag
    if (fault !== undefined || isOther) {
      body.destroy()
      if (isOther) throw remoteError("storage_changed", target, "the file changed while it was read; read it again.")
      throw notAHubError(target, fault ?? "")
    }
    if (etag !== undefined && request.origin !== repository.origin) etags.set(request.origin, etag)
    return { status: status as RemoteAnswer["status"], headers: { ...headers, [VERSION]: said.digest ?? "" }, body }
  }

  async function followLead(known: Lead, headers: HttpHeaders, signal: AbortSignal): Promise<RemoteAnswer | undefined> {
    const answer = await sendToHub(hub, { ...known.objectRequest, headers }, target, signal)
    if (isAnswer(answer.status)) return accept(answer, known.said)
    if (!EXPIRED.has(answer.status)) throw await objectHostError(target, known.objectRequest.origin, answer)
    answer.body.destroy()
    if (lead === known) lead = undefined
    return undefined
  }

  async function askHub(headers: HttpHeaders, signal: AbortSignal): Promise<RemoteAnswer> {
    const answer = await sendToHub(hub, { path: resolvePath(repository, revision, path), headers }, target, signal)
    const { request, status } = answer
    if (!isAnswer(status)) {
      // If the hub has named the commit before redirecting, the other host is not a hub but stores bytes.
      const isBehind = request.origin !== repository.origin && hubStatements(answer.redirects) !== undefined
      throw isBehind ? await objectHostError(target, request.origin, answer) : await hubError(hub, target, answer)
    }
    // Some hubs do not name the commit in a response without bytes.
    const said = hubStatements([...answer.redirects, answer]) ?? (status === 416 ? { commit: revision } : undefined)
    if (said === undefined) {
      answer.body.destroy()
      throw notAHubError(target, "the answer names no commit (X-Repo-Commit)")
    }
    if (request.origin !== repository.origin)
      lead = { objectRequest: { origin: request.origin, path: request.path }, said }
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

/** A header name of our own. It keeps the digest that the hub stated with the response of any host. */
const VERSION = "x-assay-digest"

function isAnswer(status: number): boolean {
  return status === 200 || status === 206 || status === 416
}

/** The hub's description of a file, in the response with the bytes or in the redirect to them. */
interface HubStatements {
  readonly commit: string
  /** SHA-256 of a file stored outside git, or git's SHA-1 of a file stored in git. Absent if the hub states neither. */
  readonly digest?: string
  readonly size?: number
}

/**
 * Returns the statements of the first response that names a commit. Redirects of renamed repositories do not name one.
 */
function hubStatements(answers: readonly { readonly headers: HttpHeaders }[]): HubStatements | undefined {
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

/**
 * Returns why the response differs from what the hub stated, as the beginning of a sentence, or undefined if it does
 * not.
 */
function checkAnswer(
  { status, headers }: Pick<HttpResponse, "status" | "headers">,
  said: HubStatements,
  commit: string,
): string | undefined {
  if (said.commit !== commit) return `it returned commit '${said.commit}' instead of '${commit}'`
  const encoding = headers["content-encoding"] ?? "identity"
  if (encoding !== "identity") return `the bytes are compressed (${encoding}), which was not requested`
  const size = status === 200 ? Number(headers["content-length"]) : parseContentRange(headers["content-range"]).size
  if (said.size === undefined || size === said.size) return undefined
  return `it has ${size ?? "an unknown number of"} bytes instead of the stated ${said.size}`
}

/** Removes the quotes of an ETag and the mark of a weak one. Bytes are always requested as they are stored. */
function opaqueTag(etag: string): string {
  return etag
    .trim()
    .replace(/^W\//, "")
    .replace(/^"(.*)"$/, "$1")
}
