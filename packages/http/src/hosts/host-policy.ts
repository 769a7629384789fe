import { isIP } from "node:net"
import { AssayError, maskUrlUser } from "@assay/schemas"
import { createAddressKinds, type AddressKind } from "./address-kind.ts"
import { hostOf, literalOf } from "./host-of.ts"
import { listsAddress, listsHost, type HostAddress, type HostRule } from "./host-rule.ts"

/** Checks whether a connection to an address, to which the host resolves, is allowed. @throws `host_not_allowed` */
export type AddressCheck = (host: HostAddress, address: string) => void

/** Decides which hosts users may name, and to which addresses the server may connect for them. */
export interface HostPolicy {
  /** Checks whether users may name this URL as an endpoint. @throws `host_not_allowed` */
  checkEndpoint(endpoint: string): void
  /**
   * Checks a connection to `address`, to which a host that a user named resolves. Private addresses are allowed if the host
   * or its address is listed. If only listed hosts may be named, an unlisted name must resolve to an address in a listed
   * network. Addresses of cloud metadata services need a rule for exactly that address.
   * @throws `host_not_allowed`
   */
  readonly checkNamed: AddressCheck
  /**
   * Checks a connection to a host to which a backend redirects. Backends serve bytes from other hosts of their own, so every
   * public address is allowed.
   * @throws `host_not_allowed`
   */
  readonly checkAddress: AddressCheck
}

export interface HostPolicyOptions {
  /** The list of the operator, and the hosts that are listed on every server. */
  readonly rules: readonly HostRule[]
  /**
   * Unlisted hosts that users may name: none, hosts with public addresses, or all that are neither link-local nor a cloud's
   * metadata service. The last also allows connections to private addresses.
   */
  readonly unlisted: "none" | "public" | "all-but-link-local"
  /** The setting in which the operator lists hosts, for error messages. */
  readonly setting: string
}

export function createHostPolicy({ rules, unlisted, setting }: HostPolicyOptions): HostPolicy {
  const kindOf = createAddressKinds()
  const refuse = (what: string, how = `the operator can allow it with ${setting}`) =>
    new AssayError("host_not_allowed", `${what}; ${how}.`)
  const mayBeDialled = (kind: AddressKind) =>
    kind === "public" || (kind === "private" && unlisted === "all-but-link-local")
  /** A rule for a network does not include metadata services inside it. */
  const isListed = (host: HostAddress, address: string) =>
    rules.some((rule) => listsAddress(rule, host, address) && (isOneAddress(rule) || kindOf(address) !== "metadata"))
  const isNameListed = (host: HostAddress) => isIP(host.hostname) === 0 && rules.some((rule) => listsHost(rule, host))
  const exactly = (kind: AddressKind) =>
    kind === "metadata" ? `the operator can allow it with exactly this address in ${setting}` : undefined

  function checkAddress(host: HostAddress, address: string): void {
    if (isListed(host, address)) return
    const kind = kindOf(address)
    if (mayBeDialled(kind)) return
    // A listed name may resolve to private addresses, but not to link-local ones, which can be metadata services.
    if (kind === "private" && isNameListed(host)) return
    const what = `The address ${address}${ledTo(host, address)} is ${KIND_WORDS[kind]}, and is not listed for ${portOf(host)}`
    throw refuse(what, exactly(kind))
  }

  return {
    checkEndpoint(endpoint) {
      const url = URL.parse(endpoint)
      if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
        throw refuse(`'${maskUrlUser(endpoint)}' is not a URL of an endpoint; use https://host or http://host:port`)
      const host = hostOf(url)
      // The address of a name is known only when it is connected to. Then it has to be in a listed network.
      const mayBeInNetwork = isIP(host.hostname) === 0 && rules.some(({ kind }) => kind === "network")
      if (mayBeInNetwork || isNameListed(host) || isListed(host, host.hostname)) return
      const address = literalOf(host.hostname)
      const kind = address === undefined ? "public" : kindOf(address)
      if (unlisted === "none") throw refuse(`The host '${url.host}' is not on the list of this server`, exactly(kind))
      // The addresses of other names are checked when they are connected to.
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

function portOf({ protocol, port }: HostAddress): string {
  return `${protocol.replace(":", "")} on port ${port}`
}
