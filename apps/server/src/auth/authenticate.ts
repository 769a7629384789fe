import { clientKey, SAFE_METHODS } from "@assay/http/node"
import {
  type Caller,
  EVERYONE,
  type FailureLimit,
  type IdentityProvider,
  type Sessions,
  type TokenStore,
} from "@assay/access"
import { AssayError, isAssayError } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import { sessionCookieOf } from "./session-cookie.ts"

/** The parts of a request that identify its sender. */
export type SentBy = Pick<FastifyRequest, "headers" | "ip" | "method">

/** How a route may receive a token. */
export interface Authorization {
  /** Whether it may be the password of HTTP Basic, with any user name. Default: false, because browsers send such passwords by themselves. */
  readonly takesBasic?: boolean
}

/** Returns the sender of a request. @throws `unauthorized`, `too_many_requests`, `cross_site` */
export type Authenticate = (request: SentBy, authorization?: Authorization) => Caller | Promise<Caller>

/** Gives every caller all rights. For a server that only its own machine can reach. */
export const authenticateNobody: Authenticate = () => EVERYONE

/** Returns the token of an `Authorization` header, undefined if it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1]
}

/** Returns the password of a header for HTTP Basic, or its user name if there is no password. Undefined if it is another header. */
function basicToken(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? "")?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, "base64").toString("utf8")
  const colon = text.indexOf(":")
  return colon < 0 || colon === text.length - 1 ? text.replace(/:$/, "") : text.slice(colon + 1)
}

interface Authenticators {
  readonly store: TokenStore
  readonly sessions: Sessions
  /** Undefined: there is none. */
  readonly provider: IdentityProvider | undefined
  readonly failures: FailureLimit
}

/**
 * Authenticates by bearer tokens of this server and of the identity provider, and by the cookie of a session if there is no token. A valid
 * token always passes. Only failures are counted, and a client with too many of them has to wait before another wrong token gets a reason.
 */
export function authenticateTokens(authenticators: Authenticators): Authenticate {
  return async (request, { takesBasic = false } = {}) => {
    const { authorization } = request.headers
    const token = bearerToken(authorization) ?? (takesBasic ? basicToken(authorization) : undefined)
    return token === undefined ? findBySession(request, authenticators) : findByToken(token, request.ip, authenticators)
  }
}

async function findBySession(request: SentBy, { sessions, provider }: Authenticators): Promise<Caller> {
  const cookie = sessionCookieOf(request.headers.cookie)
  const caller = cookie === undefined ? undefined : await sessions.find(cookie)
  if (caller === undefined) {
    const other = provider === undefined ? "" : ` A token of ${provider.issuer} fits, too.`
    throw new AssayError(
      "unauthorized",
      `This server needs a token: send \`Authorization: Bearer <token>\`; \`assay token create\` makes one.${other}`,
    )
  }
  checkNamesItsPage(request)
  return caller
}

async function findByToken(token: string, address: string, authenticators: Authenticators): Promise<Caller> {
  const { store, provider, failures } = authenticators
  try {
    if (provider?.isToken(token) === true) return await provider.find(token)
    const caller = await store.find(token)
    if (caller !== undefined) return caller
  } catch (error) {
    if (!isAssayError(error, "unauthorized")) throw error
    countFailure(failures, address)
    throw error
  }
  countFailure(failures, address)
  throw new AssayError(
    "unauthorized",
    "The token is not valid: it is unknown, revoked or expired. `assay token create` makes a new one.",
  )
}

/** @throws `too_many_requests` */
function countFailure(failures: FailureLimit, address: string): void {
  const client = clientKey(address)
  const seconds = failures.secondsToWait(client)
  if (seconds > 0) {
    throw new AssayError(
      "too_many_requests",
      `The token is not valid, and neither were too many before it from ${client}. Try again in ${seconds} s.`,
      { context: { retryAfter: seconds } },
    )
  }
  failures.record(client)
}

/**
 * Refuses a write that a cookie authenticates if it does not say which page sent it. Pages of other sites are refused before, by what
 * they say; browsers that say nothing are too old to distinguish them.
 */
function checkNamesItsPage({ method, headers }: SentBy): void {
  if (SAFE_METHODS.has(method) || headers.origin !== undefined || headers["sec-fetch-site"] !== undefined) return
  throw new AssayError(
    "cross_site",
    "A write with a session cookie needs the header Origin or Sec-Fetch-Site, which browsers send. Programs send `Authorization: Bearer <token>`.",
  )
}
