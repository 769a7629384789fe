import type { GuardedAgentOptions } from "@assay/http/node"
import { type AddressCheck, createHostPolicy, parseHostRule } from "@assay/http/node"
import { PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT } from "@assay/schemas"
import { createTransport, type Transport } from "@assay/storage"
import type { Settings } from "../settings/settings-schema.ts"

/** Hosts that filesets may use on every server: the public catalog and hub. */
const PUBLIC_HOSTS: readonly string[] = [PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT]

const SETTING = "ASSAY_ALLOWED_HOSTS"

/** The connections from this server to remote backends. */
interface Outbound {
  readonly transport: Transport
  /** Checks a URL that a user names. @throws `host_not_allowed` */
  readonly checkEndpoint: (endpoint: string) => void
  close(): Promise<void>
}

/** Opens the connections to remote backends that the settings allow. @throws `bad_settings` for a wrong entry of ASSAY_ALLOWED_HOSTS */
export function openOutbound(
  { ASSAY_ALLOWED_HOSTS, ASSAY_DEFAULT_STORAGE }: Settings,
  lookups: Pick<GuardedAgentOptions, "lookup"> = {},
): Outbound {
  const listed = [...PUBLIC_HOSTS, ...ASSAY_ALLOWED_HOSTS].map((host) => parseHostRule(host, SETTING))
  const options = { unlisted: "none", setting: SETTING } as const
  const policy = createHostPolicy({ ...options, rules: listed })
  // The server may connect to the operator's default storage, but users may not name its host.
  const own = ASSAY_DEFAULT_STORAGE?.type === "objstore" ? ASSAY_DEFAULT_STORAGE.endpoint_url : undefined
  const dialled =
    own === undefined
      ? policy
      : createHostPolicy({ ...options, rules: [...listed, parseHostRule(originOf(own), SETTING)] })
  // Connections are reused by host, so hosts that users named and hosts to which backends redirect need separate agents.
  const agents: { destroy(): Promise<void> }[] = []
  // Loaded when needed: most servers have no remote filesets when they start, and the client takes a while to load.
  const open = async (check: AddressCheck): Promise<Transport> => {
    const { createGuardedAgent } = await import("@assay/http/node")
    const agent = createGuardedAgent(check, lookups)
    agents.push(agent)
    return createTransport({ dispatcher: agent })
  }
  let named: Promise<Transport> | undefined
  let led: Promise<Transport> | undefined
  return {
    async transport(request, signal) {
      const transport = await (request.isNamed === true
        ? (named ??= open(dialled.checkNamed))
        : (led ??= open(dialled.checkAddress)))
      return transport(request, signal)
    },
    checkEndpoint: (endpoint) => policy.checkEndpoint(endpoint),
    close: async () => {
      await Promise.all([named, led])
      await Promise.all(agents.map((agent) => agent.destroy()))
    },
  }
}

/** Returns scheme, host and port. The default port is added, because a rule without a port allows all ports. */
function originOf(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (url === null) return endpoint
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port
  return `${url.protocol}//${url.hostname}:${port}`
}
