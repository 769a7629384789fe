import { BlockList } from "node:net"
import { hostOf, literalOf } from "./host-of.ts"
import { listsHost, parseHostRule } from "./host-rule.ts"

/**
 * Returns a function that says whether a key of this machine may be sent to a URL: to this machine itself, and to the listed hosts. Entries are written
 * as those of other lists of hosts.
 * @throws `bad_settings` with the entry that is not a host
 */
export function createKeyHosts(hosts: readonly string[], setting: string): (url: string) => boolean {
  const rules = hosts.map((host) => parseHostRule(host, setting))
  const loopback = new BlockList()
  loopback.addSubnet("127.0.0.0", 8, "ipv4")
  loopback.addAddress("::1", "ipv6")
  return (text) => {
    const url = URL.parse(text)
    if (url === null) return false
    const host = hostOf(url)
    const address = literalOf(host.hostname)
    const isOwn = address !== undefined && loopback.check(address, address.includes(":") ? "ipv6" : "ipv4")
    return isOwn || rules.some((rule) => listsHost(rule, host))
  }
}
