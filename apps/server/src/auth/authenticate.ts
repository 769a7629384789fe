import { AssayError } from "@assay/schemas"
import type { FailureLimit } from "./failure-limit.ts"
import { EVERYONE, type Caller } from "./grant.ts"
import type { TokenStore } from "./token-store.ts"

/** Who sends a request, by its headers and its address. @throws `unauthorized`, `too_many_requests` */
export type Authenticate = (authorization: string | undefined, address: string) => Caller | Promise<Caller>

/** Everybody may do everything: for a server that only its own machine can reach. */
export const authenticateNobody: Authenticate = () => EVERYONE

/** Bearer tokens; addresses that fail too often have to wait. */
export function authenticateTokens(store: TokenStore, failures: FailureLimit): Authenticate {
  return async (authorization, address) => {
    const seconds = failures.secondsToWait(address)
    if (seconds > 0) {
      throw new AssayError("too_many_requests", `Too many failed tokens from ${address}; try again in ${seconds} s.`, {
        context: { retryAfter: seconds },
      })
    }
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1]
    if (token === undefined) {
      throw new AssayError(
        "unauthorized",
        "This server needs a token: send `Authorization: Bearer <token>`; `assay token create` makes one.",
      )
    }
    const caller = await store.find(token)
    if (caller !== undefined) return caller
    failures.record(address)
    throw new AssayError(
      "unauthorized",
      "The token is not valid: it is unknown, revoked or expired. `assay token create` makes a new one.",
    )
  }
}
