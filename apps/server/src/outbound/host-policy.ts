import { isIP } from "node:net"
import { AssayError, maskUrlUser } from "@assay/schemas"
import { createAddressKinds, type AddressKind } from "./address-kind.ts"
import { listsAddress, listsHost, type HostAddress, type HostRule } from "./host-rule.ts"

/** Which hosts users may name, and which addresses may be dialled for them. */
export interface HostPolicy {
  /** Whether users may name this address as that of a server to ask. @throws `host_not_allowed` */
  checkEndpoint(endpoint: string): void
  /**
   * Whether a connection to `address`, to which the host's name led, may be made. Backends send clients on to hosts of
   * their own for bytes: any public address is fine, and private ones of listed hosts.
   * @throws `host_not_allowed`
   */
  checkAddress(host: HostAddress, address: string): void
}

export interface HostPolicyOptions {
  /** What the operator lists, and what is listed on every server. */
  readonly rules: readonly HostRule[]
  /**
   * What users may name besides: nothing, hosts whose addresses are public, or all that are not link-local. The last also
   * lets private addresses be dialled.
   */
  readonly unlisted: "none" | "public" | "all-but-link-local"
  /** The setting with which the operator can list more. */
  readonly setting: string
}

export function createHostPolicy({ rules, unlisted, setting }: HostPolicyOptions): HostPolicy {
  const kindOf = createAddressKinds()
  const refuse = (what: string) =>
    new AssayError("host_not_allowed", `${what}; the operator can allow it with ${setting}.`)
  const mayBeDialled = (kind: AddressKind) =>
    kind === "public" || (kind === "private" && unlisted === "all-but-link-local")
  return {
    checkEndpoint(endpoint) {
      const url = URL.parse(endpoint)
      if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
        throw refuse(
          `'${maskUrlUser(endpoint)}' is no address to send requests to; write https://host or http://host:port`,
        )
      const host = hostOf(url)
      // Which address a name leads to is known when it is dialled: then it has to be in a listed network.
      const mayBeInNetwork = isIP(host.hostname) === 0 && rules.some(({ kind }) => kind === "network")
      if (mayBeInNetwork || rules.some((rule) => listsHost(rule, host))) return
      if (unlisted === "none") throw refuse(`The host '${url.host}' is not on the list of this server`)
      const address = literalOf(host.hostname)
      // Which address another name leads to is known when it is dialled.
      if (address === undefined || mayBeDialled(kindOf(address))) return
      throw refuse(`The host '${url.host}' has an address that is ${kindOf(address)}`)
    },
    checkAddress(host, address) {
      if (rules.some((rule) => listsAddress(rule, host, address))) return
      const kind = kindOf(address)
      if (mayBeDialled(kind)) return
      // A name that is listed vouches for its private addresses; link-local ones give away what a cloud tells its machines.
      if (kind === "private" && rules.some((rule) => listsHost(rule, host))) return
      const led = host.hostname === address ? "" : `, to which '${host.hostname}' leads,`
      throw refuse(`The address ${address}${led} is ${kind}, and is not listed for ${portOf(host)}`)
    },
  }
}

function hostOf({ protocol, hostname, port }: URL): HostAddress {
  const known = protocol === "https:" ? 443 : 80
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? known : Number(port) }
}

function portOf({ protocol, port }: HostAddress): string {
  return `${protocol.replace(":", "")} on port ${port}`
}

/** The address that a host stands for without being looked up (RFC 6761 for localhost). */
function literalOf(hostname: string): string | undefined {
  if (isIP(hostname) !== 0) return hostname
  return /^(.+\.)?localhost\.?$/.test(hostname) ? "127.0.0.1" : undefined
}
