import { createTransport, type Transport } from "@assay/storage"
import type { Settings } from "../settings/settings-schema.ts"
import { createGuardedAgent } from "./guarded-agent.ts"
import { createHostPolicy } from "./host-policy.ts"
import { parseHostRule } from "./host-rule.ts"
import { PUBLIC_HOSTS } from "./public-hosts.ts"

const SETTING = "ASSAY_ALLOWED_HOSTS"

/** The way from this server to far backends. */
export interface Outbound {
  readonly transport: Transport
  /** @throws `host_not_allowed` for an address that users may not name */
  readonly checkEndpoint: (endpoint: string) => void
  close(): Promise<void>
}

/** Opens the way out as the settings allow it. @throws `bad_settings` for an entry of ASSAY_ALLOWED_HOSTS that is no host */
export function openOutbound({ ASSAY_ALLOWED_HOSTS, ASSAY_DEFAULT_STORAGE }: Settings): Outbound {
  const listed = [...PUBLIC_HOSTS, ...ASSAY_ALLOWED_HOSTS].map((host) => parseHostRule(host, SETTING))
  const policy = createHostPolicy(listed)
  // Where the operator's own storage is, the operator has said; users have no more say over it for that.
  const own = ASSAY_DEFAULT_STORAGE?.type === "objstore" ? ASSAY_DEFAULT_STORAGE.endpoint_url : undefined
  const dialled = own === undefined ? policy : createHostPolicy([...listed, parseHostRule(originOf(own), SETTING)])
  const agent = createGuardedAgent(dialled)
  return {
    transport: createTransport({ dispatcher: agent }),
    checkEndpoint: (endpoint) => policy.checkEndpoint(endpoint),
    close: () => agent.destroy(),
  }
}

function originOf(endpoint: string): string {
  return URL.parse(endpoint)?.origin ?? endpoint
}
