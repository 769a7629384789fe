import { BlockList, isIP } from "node:net"

export type AddressKind = "public" | "private" | "link-local"

/** 169.254.0.0/16 also inside IPv6: IPv4-compatible, behind NAT64 (RFC 6052) and in 6to4 (RFC 3056). */
const LINK_LOCAL = ["169.254.0.0/16", "fe80::/10", "::a9fe:0/112", "64:ff9b::a9fe:0/112", "2002:a9fe::/32"]

/** Loopback, private use, shared, documentation, benchmarking, multicast and reserved addresses (RFC 6890, RFC 4193). */
const PRIVATE = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001:db8::/32",
  "2002::/16",
  "fc00::/7",
  "ff00::/8",
]

/** Tells public addresses from those that only this machine or its network can reach. */
export function createAddressKinds(): (address: string) => AddressKind {
  const linkLocal = networksOf(LINK_LOCAL)
  const closed = networksOf(PRIVATE)
  return (address) => {
    // A zone names an interface of this machine.
    const bare = address.replace(/%.*$/, "")
    const version = isIP(bare)
    // What can't be read is not let through.
    if (version === 0) return "private"
    const family = version === 4 ? "ipv4" : "ipv6"
    if (linkLocal.check(bare, family)) return "link-local"
    return closed.check(bare, family) ? "private" : "public"
  }
}

/** Node's own look-up also finds IPv4 addresses that are written as `::ffff:a.b.c.d`. */
function networksOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? "ipv4" : "ipv6")
  }
  return list
}
