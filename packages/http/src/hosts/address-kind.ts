import { BlockList, isIP } from "node:net"

export type AddressKind = "public" | "private" | "link-local" | "metadata"

/** 169.254.0.0/16 also inside IPv6: IPv4-compatible, behind NAT64 (RFC 6052) and in 6to4 (RFC 3056). */
const LINK_LOCAL = ["169.254.0.0/16", "fe80::/10", "::a9fe:0/112", "64:ff9b::a9fe:0/112", "2002:a9fe::/32"]

/**
 * Addresses of cloud metadata services, which give a machine information about itself, including credentials. Several are
 * in networks that operators list for their own machines: 100.64.0.0/10, fd00::/8.
 */
const METADATA_IPV4 = [
  // AWS, Azure, Google, Oracle, OpenStack and most others.
  "169.254.169.254",
  // Credentials of containers on AWS.
  "169.254.170.2",
  "169.254.170.23",
  // Tencent.
  "169.254.0.23",
  // Scaleway.
  "169.254.42.42",
  // Alibaba.
  "100.100.100.200",
  // Oracle, older machines.
  "192.0.0.192",
  // Azure's own agent.
  "168.63.129.16",
]
const METADATA_IPV6 = [
  // AWS.
  "fd00:ec2::254",
  "fd00:ec2::23",
  // Google.
  "fd20:ce::254",
  // Oracle.
  "fd00:c1::a9fe:a9fe",
  // OpenStack.
  "fe80::a9fe:a9fe",
  // Scaleway.
  "fd00:42::42",
]

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

/** Creates a function that classifies addresses: public, or reachable only from this machine, its network or its cloud. */
export function createAddressKinds(): (address: string) => AddressKind {
  const metadata = networksOf([
    ...METADATA_IPV4.flatMap((address) => [`${address}/32`, ...embedded(address)]),
    ...METADATA_IPV6.map((address) => `${address}/128`),
  ])
  const linkLocal = networksOf(LINK_LOCAL)
  const closed = networksOf(PRIVATE)
  return (address) => {
    // A zone names an interface of this machine.
    const bare = address.replace(/%.*$/, "")
    const version = isIP(bare)
    // Text that is not an address is refused as private.
    if (version === 0) return "private"
    const family = version === 4 ? "ipv4" : "ipv6"
    if (metadata.check(bare, family)) return "metadata"
    if (linkLocal.check(bare, family)) return "link-local"
    return closed.check(bare, family) ? "private" : "public"
  }
}

/** Returns the forms of an IPv4 address inside IPv6, as in `LINK_LOCAL`. */
function embedded(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number)
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  return [`::${groups}/128`, `64:ff9b::${groups}/128`, `2002:${groups}::/48`]
}

/** Builds a list of networks. `BlockList` also matches IPv4 addresses that are written as `::ffff:a.b.c.d`. */
function networksOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? "ipv4" : "ipv6")
  }
  return list
}
