import { isIP } from "node:net"

/**
 * Returns the key under which failures of a client are counted: an IPv4 address, or the /64 of an IPv6 address, because one
 * client usually has a whole /64. A proxy may add the port. Everything that is not an address counts as one client.
 */
export function clientKey(address: string): string {
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
