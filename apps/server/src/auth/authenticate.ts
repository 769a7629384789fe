import { isIP } from "node:net"
import { AssayError } from "@assay/schemas"
import type { FailureLimit } from "./failure-limit.ts"
import { EVERYONE, type Caller } from "./grant.ts"
import type { TokenStore } from "./token-store.ts"

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

/**
 * Returns the key under which failures of a client are counted: an IPv4 address, or the /64 of an IPv6 address, because one
 * client usually has a whole /64. A proxy may add the port. Everything that is not an address counts as one client.
 */
function clientKey(address: string): string {
  const bare = withoutPort(address)
  const version = isIP(bare)
  if (version === 4) return bare
  if (version === 0) return "unknown"
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  return mapped ?? `${firstGroups(bare).join(":")}::/64`
}

function withoutPort(address: string): string {
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? []
  // A zone names an interface of this machine.
  return (bracketed ?? plain ?? address).replace(/%.*$/, "")
}

/** Returns the first four of the eight groups, without leading zeros. */
function firstGroups(address: string): readonly string[] {
  const [head = "", tail] = address.split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === undefined || tail === "" ? [] : tail.split(":")
  // An IPv4 address at the end takes two groups.
  const taken = left.length + right.length + (address.includes(".") ? 1 : 0)
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - taken }, () => "0")
  return [...left, ...zeros, ...right].slice(0, 4).map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
}
