import { isIP } from "node:net"
import { AssayError } from "@assay/schemas"

/** The peers that are trusted proxies, as an option of Fastify. The function receives an address and its distance in hops. */
export type TrustedProxies = false | string[] | ((address: string, hop: number) => boolean)

/** Names of address ranges, as Express and Fastify know them. */
const RANGES: ReadonlySet<string> = new Set(["loopback", "linklocal", "uniquelocal"])
const MAX_HOPS = 16

/**
 * Parses the trusted proxies of a setting: addresses, networks as address/bits and names of ranges, or one number of hops. Fastify itself
 * does not accept a number, because it cannot distinguish a proxy from a client that connects directly and invents the header. An
 * operator who sets a number guarantees that only the proxies can connect.
 * @param setting its name, for messages
 * @throws `bad_settings` that names the entry
 */
export function parseTrustedProxies(entries: readonly string[], setting: string): TrustedProxies {
  const [first = "0", ...others] = entries
  if (others.length === 0 && /^\d{1,2}$/.test(first) && Number(first) <= MAX_HOPS) {
    const hops = Number(first)
    return hops === 0 ? false : (_address, hop) => hop < hops
  }
  for (const entry of entries) {
    if (!RANGES.has(entry) && !isNetwork(entry)) throw unreadable(entry, setting)
  }
  return [...entries]
}

function isNetwork(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/")
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  // A network of 0 bits would trust every client, and with it every invented header.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function unreadable(entry: string, setting: string): AssayError {
  return new AssayError(
    "bad_settings",
    `${setting} has '${entry}'; write the addresses of your proxies (10.0.0.5, a network such as 10.0.0.0/8, loopback, linklocal, uniquelocal), or one number of hops up to ${MAX_HOPS}.`,
  )
}
