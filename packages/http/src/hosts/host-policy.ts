import { isIP } from "node:net"
import { AssayError, maskUrlUser } from "@assay/schemas"
import { createAddressKinds, type AddressKind } from "./address-kind.ts"
import { listsAddress, listsHost, type HostAddress, type HostRule } from "./host-rule.ts"

/** Whether a connection may be made to an address, to which the host leads. @throws `host_not_allowed` */
export type AddressCheck = (host: HostAddress, address: string) => void

/** Which hosts users may name, and which addresses may be dialled for them. */
export interface HostPolicy {
  /** Whether users may name this address as that of a server to ask. @throws `host_not_allowed` */
  checkEndpoint(endpoint: string): void
  /**
   * Whether a connection to `address`, to which the host that a user named leads, may be made. Private addresses are fine
   * if the host or its address is listed. A name that no rule lists leads only into listed networks, where only listed
   * hosts may be named. Addresses of cloud metadata services need a rule for that one address.
   * @throws `host_not_allowed`
   */
  readonly checkNamed: AddressCheck
  /**
   * The same for a host to which a backend leads. Backends redirect clients to hosts of their own for bytes, so any public
   * address is fine.
   * @throws `host_not_allowed`
   */
  readonly checkAddress: AddressCheck
}

export interface HostPolicyOptions {
  /** What the operator lists, and what is listed on every server. */
  readonly rules: readonly HostRule[]
  /**
   * What users may name besides: nothing, hosts whose addresses are public, or all that are neither link-local nor of a
   * cloud's metadata service. The last also lets private addresses be dialled.
   */
  readonly unlisted: "none" | "public" | "all-but-link-local"
  /** The setting with which the operator can list more. */
  readonly setting: string
}

export function createHostPolicy({ rules, unlisted, setting }: HostPolicyOptions): HostPolicy {
  const kindOf = createAddressKinds()
  const refuse = (what: string, how = `the operator can allow it with ${setting}`) =>
    new AssayError("host_not_allowed", `${what}; ${how}.`)
  const mayBeDialled = (kind: AddressKind) =>
    kind === "public" || (kind === "private" && unlisted === "all-but-link-local")
  /** Networks hold machines of the operator; a metadata service inside one is not meant by it. */
  const isListed = (host: HostAddress, address: string) =>
    rules.some((rule) => listsAddress(rule, host, address) && (isOneAddress(rule) || kindOf(address) !== "metadata"))
  const isNameListed = (host: HostAddress) => isIP(host.hostname) === 0 && rules.some((rule) => listsHost(rule, host))
  const exactly = (kind: AddressKind) =>
    kind === "metadata" ? `the operator can allow it with exactly this address in ${setting}` : undefined

  function checkAddress(host: HostAddress, address: string): void {
    if (isListed(host, address)) return
    const kind = kindOf(address)
    if (mayBeDialled(kind)) return
    // A name that is listed vouches for its private addresses; link-local ones give away what a cloud tells its machines.
    if (kind === "private" && isNameListed(host)) return
    const what = `The address ${address}${ledTo(host, address)} is ${KIND_WORDS[kind]}, and is not listed for ${portOf(host)}`
    throw refuse(what, exactly(kind))
  }

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
      if (mayBeInNetwork || isNameListed(host) || isListed(host, host.hostname)) return
      const address = literalOf(host.hostname)
      const kind = address === undefined ? "public" : kindOf(address)
      if (unlisted === "none") throw refuse(`The host '${url.host}' is not on the list of this server`, exactly(kind))
      // Which address another name leads to is known when it is dialled.
      if (mayBeDialled(kind)) return
      throw refuse(`The host '${url.host}' has an address that is ${KIND_WORDS[kind]}`, exactly(kind))
    },
    checkNamed(host, address) {
      checkAddress(host, address)
      if (unlisted !== "none" || isNameListed(host) || isListed(host, address)) return
      const what = `The host '${host.hostname}' is not on the list of this server, and its address ${address} is in no network on it`
      throw refuse(what)
    },
    checkAddress,
  }
}

const KIND_WORDS: Readonly<Record<AddressKind, string>> = {
  public: "public",
  private: "private",
  "link-local": "link-local",
  metadata: "that of a cloud's metadata service",
}

function isOneAddress(rule: HostRule): boolean {
  return rule.kind !== "name" && rule.isOne
}

function ledTo({ hostname }: HostAddress, address: string): string {
  return hostname === address ? "" : `, to which '${hostname}' leads,`
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
