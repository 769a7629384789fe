import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns"
import { isIP } from "node:net"
import { withHandshakeFailures } from "@assay/http"
import { createTrustedContext } from "@assay/http/agent"
import { Agent, buildConnector } from "undici"
import type { AddressCheck } from "./host-policy.ts"
import type { HostAddress } from "./host-rule.ts"

const CONNECT_MS = 10_000

export interface GuardedAgentOptions {
  /** Certificates in PEM that are trusted besides those of the system. */
  readonly ca?: string | undefined
  /** For answers that may be silent for as long as whoever asks has patience. Default false: five minutes. */
  readonly patient?: boolean
  /** Finds the addresses of a name. Default: the system does. */
  readonly lookup?: Lookup
}

export type Lookup = (hostname: string, options: LookupOptions & { all: true }, callback: LookupCallback) => void
type LookupCallback = (error: Error | null, addresses: LookupAddress[]) => void

/** An undici agent that checks every address that it dials, whatever name led to it. */
export function createGuardedAgent(check: AddressCheck, options: GuardedAgentOptions = {}): Agent {
  const { ca, patient = false, lookup = systemLookup } = options
  const trusted = ca === undefined ? {} : { secureContext: createTrustedContext(ca) }
  return new Agent({
    ...(patient ? { headersTimeout: 0, bodyTimeout: 0 } : {}),
    connect(target, callback) {
      const hostname = target.hostname.replace(/^\[|\]$/g, "").toLowerCase()
      const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80)
      const host = { protocol: target.protocol, hostname, port }
      try {
        // A literal address is dialled without being looked up.
        if (isIP(hostname) !== 0) check(host, hostname)
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
          lookup: guardedLookup(check, host, lookup),
        }),
      )
      connect(target, callback)
    },
  })
}

/** Looks a name up and refuses it if any of its addresses is refused. */
function guardedLookup(check: AddressCheck, host: HostAddress, lookup: Lookup) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      try {
        for (const { address } of addresses) check(host, address)
      } catch (refused) {
        return callback(refused as Error, [])
      }
      callback(null, addresses)
    })
  }
}
