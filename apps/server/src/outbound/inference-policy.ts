import { createHostPolicy, type HostPolicy, type HostRule, parseHostRule } from "@assay/http/node"
import { AssayError, maskUrlUser } from "@assay/schemas"
import type { Settings } from "../settings/settings-schema.ts"

const SETTING = "ASSAY_ALLOWED_INFERENCE_HOSTS"

/**
 * Creates the policy for inference endpoints. A server without authentication listens on loopback only, so its users can
 * reach this machine and its network anyway. Users of other servers can reach private addresses only if the operator lists
 * them.
 */
export function createInferencePolicy(settings: Settings): HostPolicy {
  const listed = settings.ASSAY_ALLOWED_INFERENCE_HOSTS.map((host) => parseHostRule(host, SETTING))
  return createHostPolicy({
    rules: [...listed, ...defaultEndpointRules(settings)],
    unlisted: settings.ASSAY_AUTH === "off" ? "all-but-link-local" : "public",
    setting: SETTING,
  })
}

const DEFAULT = "ASSAY_DEFAULT_INFERENCE_URL"

/** Returns a rule for the operator's default endpoint, with its scheme and port. @throws `bad_settings` */
export function defaultEndpointRules({
  ASSAY_DEFAULT_INFERENCE_URL: url,
}: Pick<Settings, "ASSAY_DEFAULT_INFERENCE_URL">): readonly HostRule[] {
  if (url === undefined) return []
  const address = URL.parse(url)
  if (address === null || address.username !== "" || address.password !== "") {
    const message = `${DEFAULT} '${maskUrlUser(url)}' is not the URL of an inference endpoint; use https://host/v1, without user name and password`
    throw new AssayError("bad_settings", message)
  }
  const { protocol, hostname, port } = address
  const used = port === "" ? (protocol === "https:" ? 443 : 80) : port
  return [parseHostRule(`${protocol}//${hostname}:${used}`, DEFAULT)]
}
