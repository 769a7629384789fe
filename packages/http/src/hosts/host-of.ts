import { isIP } from "node:net"
import type { HostAddress } from "./host-rule.ts"

/** Returns the host of a URL, with the port of its protocol if it names none. */
export function hostOf({ protocol, hostname, port }: URL): HostAddress {
  const known = protocol === "https:" ? 443 : 80
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? known : Number(port) }
}

/** Returns the address of a host that is not resolved: a literal address, or localhost (RFC 6761). */
export function literalOf(hostname: string): string | undefined {
  if (isIP(hostname) !== 0) return hostname
  return /^(.+\.)?localhost\.?$/.test(hostname) ? "127.0.0.1" : undefined
}
