import { readErrorText, type HttpHeaders, type HttpResponse, type Transport } from "@assay/http"
import type { AssayError } from "@assay/schemas"
import { cleanMessage, remoteError, withFacts, type RemoteTarget } from "../remote/remote-error.ts"
import { repositoryPage, type HubRepository } from "./repository.ts"

/** The repository and the token's reference, for messages. */
export interface HubParty {
  readonly repository: HubRepository
  /** The requested revision, or the commit that is read. */
  readonly revision: string
  readonly token?: string | undefined
  /** The reference of the token. */
  readonly secret?: string | undefined
}

/** Converts an unsuccessful response to an error that says what to do. It consumes the body. */
export async function hubError(party: HubParty, target: RemoteTarget, response: HttpResponse): Promise<AssayError> {
  const { status, headers } = response
  const words = headers["x-error-message"] ?? bodyMessage(await readErrorText(response.body))
  response.body.destroy()
  const seconds = status === 429 ? secondsUntilReset(headers) : undefined
  const more = seconds === undefined ? "" : ` Again in ${seconds} s.`
  const said = cleanMessage(`${status}: ${words}${more}`, party.token === undefined ? [] : [party.token])
  const code = headers["x-error-code"] ?? ""
  const error = errorOfCode(code, party, target, said) ?? errorOfStatus(status, party, target, said)
  return withFacts(error, { status, said_code: code.slice(0, 64), page: repositoryPage(party.repository) })
}

function errorOfCode(code: string, party: HubParty, target: RemoteTarget, said: string): AssayError | undefined {
  switch (code) {
    case "GatedRepo":
      return gated(party, target, said)
    case "RepoNotFound":
      return missing(party, target, said)
    case "RevisionNotFound": {
      const what = `it has no revision '${party.revision}' (${said}); name an existing branch, tag or commit.`
      return remoteError("upstream_missing", target, what)
    }
    case "EntryNotFound":
      return fileMissing(target)
    default:
      return undefined
  }
}

function errorOfStatus(status: number, party: HubParty, target: RemoteTarget, said: string): AssayError {
  const { repository, secret } = party
  switch (status) {
    case 400: {
      const what = `the hub does not understand the request (${said}); check endpoint, repo_id and revision.`
      return remoteError("upstream_misconfigured", target, what)
    }
    case 401:
      return refused(secret, target, said)
    case 403: {
      // The hub has no code for this error. Clients recognize it by its message.
      if (!/\bdisabled\b/i.test(said)) return refused(secret, target, said)
      const what = `the hub has closed it (${said}); ask its owner or the hub's staff, at ${repositoryPage(repository)}.`
      return remoteError("upstream_missing", target, what)
    }
    case 404: {
      const what = `the hub does not know the address (${said}); check endpoint, repo_id and repo_type.`
      return remoteError("upstream_missing", target, what)
    }
    case 429: {
      const advice =
        secret === undefined ? "try later, or set token_secret, which allows more requests" : "try again later"
      return remoteError("upstream_failed", target, `the hub asks for fewer requests (${said}); ${advice}.`)
    }
    default: {
      const what = `the hub gave an unexpected response (${said}); try again later, and check that endpoint is a hub.`
      return remoteError("upstream_failed", target, what)
    }
  }
}

function gated({ repository, secret }: HubParty, target: RemoteTarget, said: string): AssayError {
  const page = repositoryPage(repository)
  const what =
    secret === undefined
      ? `it is gated (${said}); ask for access at ${page}, and set token_secret to a token of the account that has it.`
      : `it is gated, and the token in secret '${secret}' has no access (${said}); ask for it at ${page} with the account of the token, and let the token read gated repositories.`
  return remoteError("upstream_gated", target, what)
}

function missing({ secret }: HubParty, target: RemoteTarget, said: string): AssayError {
  const what =
    secret === undefined
      ? `it is private or missing (${said}); check repo_id and repo_type, and set token_secret for a private one.`
      : `it is missing, or private and not open to the token in secret '${secret}' (${said}); check repo_id and repo_type, and the rights of the token.`
  return remoteError("upstream_missing", target, what)
}

function refused(secret: string | undefined, target: RemoteTarget, said: string): AssayError {
  const what =
    secret === undefined
      ? `the hub requires authentication (${said}); set token_secret.`
      : `the hub refuses the token in secret '${secret}' (${said}); set the secret to a token that is valid and may read there.`
  return remoteError("upstream_refused", target, what)
}

/** Returns the error for a refusal of the host behind the hub, which stores the bytes of large files. */
export async function objectHostError(
  target: RemoteTarget,
  origin: string,
  response: HttpResponse,
): Promise<AssayError> {
  // The body contains the signed address, so none of it is shown.
  response.body.destroy()
  const what = `${origin}, to which the hub sends for its bytes, answered ${response.status}; try again later.`
  return remoteError("upstream_failed", target, what)
}

export function fileMissing(target: RemoteTarget): AssayError {
  return remoteError("not_found", target, "the file does not exist; its listing shows which files exist.")
}

export function readOnly(target: RemoteTarget): AssayError {
  const what = "hub storage is read-only here; write to a fileset on another storage."
  return remoteError("method_not_allowed", target, what)
}

/** Returns the message in the JSON of an error. An HTML page contains nothing useful. */
function bodyMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === "object" && body !== null && "error" in body) return String(body.error)
  } catch {
    // The body is not JSON: it comes from another program.
  }
  return "no reason is given"
}

/**
 * Returns the seconds until the rate limit resets, if no request is left. The public hub sends `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-09, such as `"api";r=0;t=55`) instead of `Retry-After`.
 */
function secondsUntilReset(headers: HttpHeaders): number | undefined {
  const seconds = /;\s*r\s*=\s*0\s*;\s*t\s*=\s*(\d+)/.exec(headers["ratelimit"] ?? "")?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

/** Wraps a transport so that a 429 with `RateLimit` also has `Retry-After`. */
export function withRateLimit(transport: Transport): Transport {
  return async (request, signal) => {
    const response = await transport(request, signal)
    const seconds = response.status === 429 ? secondsUntilReset(response.headers) : undefined
    if (seconds === undefined) return response
    return { ...response, headers: { "retry-after": String(seconds), ...response.headers } }
  }
}
