import { isIP } from "node:net"
import { AssayError } from "@assay/schemas"
import { createAddressKinds } from "./address-kind.ts"
import { listsAddress, listsHost, type HostAddress, type HostRule } from "./host-rule.ts"

/** Which hosts filesets may live on, and which addresses may be dialled for them. */
export interface HostPolicy {
  /** Whether users may name this address as that of a backend. @throws `host_not_allowed` */
  checkEndpoint(endpoint: string): void
  /**
   * Whether a connection to `address`, to which the host's name led, may be made. Backends send clients on to hosts of
   * their own for bytes: any public address is fine, and private ones of listed hosts.
   * @throws `host_not_allowed`
   */
  checkAddress(host: HostAddress, address: string): void
}

/** @param rules what the operator lists, and the public hosts */
export function createHostPolicy(rules: readonly HostRule[]): HostPolicy {
  const kindOf = createAddressKinds()
  return {
    checkEndpoint(endpoint) {
      const url = URL.parse(endpoint)
      if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
        throw refuse(`'${withoutUser(endpoint)}' is no address of a backend; write https://host or http://host:port`)
      const host = hostOf(url)
      // Which address a name leads to is known when it is dialled: then it has to be in a listed network.
      const mayBeInNetwork = isIP(host.hostname) === 0 && rules.some(({ kind }) => kind === "network")
      if (mayBeInNetwork || rules.some((rule) => listsHost(rule, host))) return
      throw refuse(`The host '${url.host}' is not on the list of this server`)
    },
    checkAddress(host, address) {
      if (rules.some((rule) => listsAddress(rule, address))) return
      const kind = kindOf(address)
      if (kind === "public") return
      // A name that is listed vouches for its private addresses; link-local ones give away what a cloud tells its machines.
      if (kind === "private" && rules.some((rule) => listsHost(rule, host))) return
      const led = host.hostname === address ? "" : `, to which '${host.hostname}' leads,`
      throw refuse(`The address ${address}${led} is ${kind}`)
    },
  }
}

function hostOf({ protocol, hostname, port }: URL): HostAddress {
  const known = protocol === "https:" ? 443 : 80
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? known : Number(port) }
}

function withoutUser(endpoint: string): string {
  return endpoint.replace(/\/\/[^/@]*@/, "//***@")
}

function refuse(what: string): AssayError {
  return new AssayError("host_not_allowed", `${what}; the operator can allow it with ASSAY_ALLOWED_HOSTS.`)
}
