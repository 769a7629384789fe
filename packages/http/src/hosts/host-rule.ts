import { BlockList, isIP } from "node:net"
import { AssayError, maskUrlUser } from "@assay/schemas"

/** The target of a connection. */
export interface HostAddress {
  /** With its colon. */
  readonly protocol: string
  /** A name in lower case, or a literal address without brackets. */
  readonly hostname: string
  readonly port: number
}

/** The connections to which a rule applies. No port means every port; no protocol means http and https. */
interface RuleReach {
  readonly port?: number
  /** With its colon. */
  readonly protocol?: string
}

/** An entry of a list of hosts. A literal address is a network of one address, so its spelling does not matter. */
export type HostRule = RuleReach &
  (
    | {
        readonly kind: "network" | "address"
        readonly network: BlockList
        /** Whether it names a single address. Only such a rule can allow a metadata service. */
        readonly isOne: boolean
      }
    | { readonly kind: "name"; readonly isSuffix: boolean; readonly name: string }
  )

/**
 * Parses `host`, `host:port`, `*.suffix`, `scheme://host:port` or a network as `address/bits`.
 * @throws `bad_settings` with the entry in its message
 */
export function parseHostRule(text: string, setting: string): HostRule {
  const slash = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(text)
  if (slash !== null) {
    const [, address = "", bits] = slash
    const isOne = Number(bits) === bitsOf(address)
    return { kind: "network", isOne, network: networkOf(text, setting, address, Number(bits)) }
  }
  if (isIP(text) !== 0) return { kind: "address", isOne: true, network: networkOf(text, setting, text) }
  const match = /^(?:(https?):\/\/)?(\*\.)?(\[[\da-f:.]+\]|[a-z\d._-]+)(?::(\d{1,5}))?\/?$/i.exec(text)
  if (match === null) throw unreadable(text, setting)
  const [, scheme, star, written = "", port] = match
  if (port !== undefined && (Number(port) === 0 || Number(port) > MAX_PORT)) throw unreadable(text, setting)
  const reach = {
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(scheme === undefined ? {} : { protocol: `${scheme.toLowerCase()}:` }),
  }
  if (star !== undefined) return { kind: "name", isSuffix: true, name: written.toLowerCase(), ...reach }
  const name = asUrlsWrite(written)
  if (name === undefined) throw unreadable(text, setting)
  if (isIP(name) !== 0) return { kind: "address", isOne: true, network: networkOf(text, setting, name), ...reach }
  return { kind: "name", isSuffix: false, name, ...reach }
}

const MAX_PORT = 65_535

/** Returns a host as the URL parser writes it: `0x7f.1` and `2130706433` are 127.0.0.1. */
function asUrlsWrite(host: string): string | undefined {
  return URL.parse(`http://${host}/`)?.hostname.replace(/^\[|\]$/g, "")
}

function networkOf(text: string, setting: string, address: string, bits?: number): BlockList {
  const version = isIP(address)
  const all = bitsOf(address)
  if (version === 0 || (bits ?? 0) > all) throw unreadable(text, setting)
  const network = new BlockList()
  network.addSubnet(address, bits ?? all, version === 4 ? "ipv4" : "ipv6")
  return network
}

function bitsOf(address: string): number {
  return isIP(address) === 4 ? 32 : 128
}

function unreadable(text: string, setting: string): AssayError {
  const message = `${setting} has '${maskUrlUser(text)}', which is not a host; use host, host:port, *.suffix, scheme://host:port or a network such as 10.0.0.0/8.`
  return new AssayError("bad_settings", message)
}

/** Returns whether a rule lists the host by its name, or by its address if the host is a literal address. */
export function listsHost(rule: HostRule, host: HostAddress): boolean {
  if (rule.kind !== "name") return listsAddress(rule, host, host.hostname)
  const { hostname } = host
  const isNamed = rule.isSuffix ? hostname.endsWith(`.${rule.name}`) : hostname === rule.name
  return isNamed && reaches(rule, host)
}

/** Returns whether a rule lists a literal address, for connections to the port and with the protocol of `host`. */
export function listsAddress(rule: HostRule, host: HostAddress, address: string): boolean {
  const version = isIP(address)
  if (version === 0 || rule.kind === "name" || !reaches(rule, host)) return false
  return rule.network.check(address, version === 4 ? "ipv4" : "ipv6")
}

function reaches(rule: RuleReach, { port, protocol }: HostAddress): boolean {
  return (rule.port ?? port) === port && (rule.protocol ?? protocol) === protocol
}
