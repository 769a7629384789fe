import { BlockList, isIP } from "node:net"
import { AssayError } from "@assay/schemas"

/** Where a connection goes. */
export interface HostAddress {
  /** With its colon. */
  readonly protocol: string
  /** A name in lower case, or a literal address without brackets. */
  readonly hostname: string
  readonly port: number
}

/** One entry of a list of hosts. */
export type HostRule =
  | { readonly kind: "network"; readonly network: BlockList }
  | {
      readonly kind: "name"
      readonly isSuffix: boolean
      readonly name: string
      readonly port?: number
      readonly protocol?: string
    }

/**
 * Reads `host`, `host:port`, `*.suffix`, `scheme://host:port` or a network as `address/bits`.
 * @throws `bad_settings` that names the entry
 */
export function parseHostRule(text: string, setting: string): HostRule {
  const slash = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(text)
  if (slash !== null) return networkRule(text, setting, slash[1] ?? "", Number(slash[2]))
  if (isIP(text) !== 0) return { kind: "name", isSuffix: false, name: text.toLowerCase() }
  const match = /^(?:(https?):\/\/)?(\*\.)?(\[[\da-f:.]+\]|[a-z\d._-]+)(?::(\d{1,5}))?\/?$/i.exec(text)
  if (match === null) throw unreadable(text, setting)
  const [, scheme, star, name = "", port] = match
  return {
    kind: "name",
    isSuffix: star !== undefined,
    name: name.toLowerCase().replace(/^\[|\]$/g, ""),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(scheme === undefined ? {} : { protocol: `${scheme.toLowerCase()}:` }),
  }
}

function networkRule(text: string, setting: string, address: string, bits: number): HostRule {
  const version = isIP(address)
  if (version === 0 || bits > (version === 4 ? 32 : 128)) throw unreadable(text, setting)
  const network = new BlockList()
  network.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6")
  return { kind: "network", network }
}

function unreadable(text: string, setting: string): AssayError {
  const message = `${setting} has '${text}', which is no host; write host, host:port, *.suffix, scheme://host:port or a network such as 10.0.0.0/8.`
  return new AssayError("bad_settings", message)
}

/** Whether a rule lists the host by its name, or by its address where that stands in place of a name. */
export function listsHost(rule: HostRule, { protocol, hostname, port }: HostAddress): boolean {
  if (rule.kind === "network") return listsAddress(rule, hostname)
  const isNamed = rule.isSuffix ? hostname.endsWith(`.${rule.name}`) : hostname === rule.name
  return isNamed && (rule.port ?? port) === port && (rule.protocol ?? protocol) === protocol
}

/** Whether a rule lists a literal address. */
export function listsAddress(rule: HostRule, address: string): boolean {
  const version = isIP(address)
  if (version === 0) return false
  if (rule.kind === "name") return rule.name === address
  return rule.network.check(address, version === 4 ? "ipv4" : "ipv6")
}
