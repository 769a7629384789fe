import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns"
import { isIP } from "node:net"
import { withHandshakeFailures } from "../failure/tls-handshake.ts"
import { createTrustedContext } from "../send/open-agent.ts"
import { Agent, buildConnector } from "undici"
import type { AddressCheck } from "./host-policy.ts"
import type { HostAddress } from "./host-rule.ts"

const CONNECT_MS = 10_000

export interface GuardedAgentOptions {
  /** Certificates in PEM that are trusted in addition to those of the system. */
  readonly ca?: string | undefined
  /** Turns off the timeouts for silent responses, because the caller has its own. Default: false, which means five minutes. */
  readonly patient?: boolean
  /** Resolves a host name. Default: the resolver of the system. */
  readonly lookup?: Lookup
}

type Lookup = (hostname: string, options: LookupOptions & { all: true }, callback: LookupCallback) => void
type LookupCallback = (error: Error | null, addresses: LookupAddress[]) => void

/** Creates an undici agent that checks every address before it connects, under any name. */
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
        // A literal address is not resolved, so it is checked here.
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
          // Called with `all`, because address families are tried in turn.
          lookup: guardedLookup(check, host, lookup),
        }),
      )
      connect(target, callback)
    },
  })
}

/** Returns a resolver that refuses a name if any of its addresses is refused. */
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
