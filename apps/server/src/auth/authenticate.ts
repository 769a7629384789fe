import { clientKey } from "@assay/http/server"
import { type Caller, EVERYONE, type FailureLimit, type TokenStore } from "@assay/registry/tokens"
import { AssayError } from "@assay/schemas"

/** Returns the sender of a request, by its Authorization header and address. @throws `unauthorized`, `too_many_requests` */
export type Authenticate = (authorization: string | undefined, address: string) => Caller | Promise<Caller>

/** Gives every caller all rights. For a server that only its own machine can reach. */
export const authenticateNobody: Authenticate = () => EVERYONE

/** Returns the token of an `Authorization` header, undefined if it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1]
}

/**
 * Authenticates by bearer tokens. A valid token always passes. Only failures are counted, and a client with too many of
 * them has to wait before the server checks another wrong token.
 */
export function authenticateTokens(store: TokenStore, failures: FailureLimit): Authenticate {
  return async (authorization, address) => {
    const token = bearerToken(authorization)
    if (token === undefined) {
      throw new AssayError(
        "unauthorized",
        "This server needs a token: send `Authorization: Bearer <token>`; `assay token create` makes one.",
      )
    }
    const caller = await store.find(token)
    if (caller !== undefined) return caller
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
    throw new AssayError(
      "unauthorized",
      "The token is not valid: it is unknown, revoked or expired. `assay token create` makes a new one.",
    )
  }
}
