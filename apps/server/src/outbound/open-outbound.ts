import { PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT } from "@assay/schemas"
import { createTransport, type Transport } from "@assay/storage"
import type { Settings } from "../settings/settings-schema.ts"
import type { GuardedAgentOptions } from "@assay/http/guarded-agent"
import { type AddressCheck, createHostPolicy, parseHostRule } from "@assay/http/host-policy"

/** Where filesets may live on every server: the public catalog and hub. */
export const PUBLIC_HOSTS: readonly string[] = [PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT]

const SETTING = "ASSAY_ALLOWED_HOSTS"

/** The way from this server to remote backends. */
interface Outbound {
  readonly transport: Transport
  /** @throws `host_not_allowed` for an address that users may not name */
  readonly checkEndpoint: (endpoint: string) => void
  close(): Promise<void>
}

/** Opens the way out as the settings allow it. @throws `bad_settings` for an entry of ASSAY_ALLOWED_HOSTS that is no host */
export function openOutbound(
  { ASSAY_ALLOWED_HOSTS, ASSAY_DEFAULT_STORAGE }: Settings,
  lookups: Pick<GuardedAgentOptions, "lookup"> = {},
): Outbound {
  const listed = [...PUBLIC_HOSTS, ...ASSAY_ALLOWED_HOSTS].map((host) => parseHostRule(host, SETTING))
  const options = { unlisted: "none", setting: SETTING } as const
  const policy = createHostPolicy({ ...options, rules: listed })
  // Where the operator's own storage is, the operator has said; users have no more say over it for that.
  const own = ASSAY_DEFAULT_STORAGE?.type === "objstore" ? ASSAY_DEFAULT_STORAGE.endpoint_url : undefined
  const dialled =
    own === undefined
      ? policy
      : createHostPolicy({ ...options, rules: [...listed, parseHostRule(originOf(own), SETTING)] })
  // Connections are kept by host, so those of hosts that users named are apart from those of hosts to which backends lead.
  const agents: { destroy(): Promise<void> }[] = []
  // Most servers have no remote filesets when they start, and a network client takes a while to load.
  const open = async (check: AddressCheck): Promise<Transport> => {
    const { createGuardedAgent } = await import("@assay/http/guarded-agent")
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

/** Scheme, host and port, which URLs leave out where it is the usual one: a rule without a port holds for all ports. */
function originOf(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (url === null) return endpoint
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port
  return `${url.protocol}//${url.hostname}:${port}`
}
