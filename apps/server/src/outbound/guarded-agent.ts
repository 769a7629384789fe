import { lookup, type LookupAddress, type LookupOptions } from "node:dns"
import { isIP } from "node:net"
import { withHandshakeFailures } from "@assay/schemas"
import { Agent, buildConnector } from "undici"
import type { HostAddress } from "./host-rule.ts"
import type { HostPolicy } from "./host-policy.ts"
import { createTrustedContext } from "./trusted-context.ts"

const CONNECT_MS = 10_000

export interface GuardedAgentOptions {
  /** Certificates in PEM that are trusted besides those of the system. */
  readonly ca?: string
  /** For answers that may be silent for as long as whoever asks has patience. Default false: five minutes. */
  readonly patient?: boolean
}

type LookupCallback = (error: Error | null, addresses: LookupAddress[]) => void

/** An undici agent that asks `policy` about every address that it dials, whatever name led to it. */
export function createGuardedAgent(policy: HostPolicy, { ca, patient = false }: GuardedAgentOptions = {}): Agent {
  const trusted = ca === undefined ? {} : { secureContext: createTrustedContext(ca) }
  return new Agent({
    ...(patient ? { headersTimeout: 0, bodyTimeout: 0 } : {}),
    connect(options, callback) {
      const hostname = options.hostname.replace(/^\[|\]$/g, "").toLowerCase()
      const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80)
      const host = { protocol: options.protocol, hostname, port }
      try {
        // A literal address is dialled without being looked up.
        if (isIP(hostname) !== 0) policy.checkAddress(host, hostname)
      } catch (error) {
        callback(error as Error, null)
        return
      }
      const connect = withHandshakeFailures(
        buildConnector({
          ...trusted,
          timeout: CONNECT_MS,
          autoSelectFamily: true,
          // Called with `all`, since families are tried in turn.
          lookup: guardedLookup(policy, host),
        }),
      )
      connect(options, callback)
    },
  })
}

/** Looks a name up and refuses it where any of its addresses is refused. */
function guardedLookup(policy: HostPolicy, host: HostAddress) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      try {
        for (const { address } of addresses) policy.checkAddress(host, address)
      } catch (refused) {
        return callback(refused as Error, [])
      }
      callback(null, addresses)
    })
  }
}
