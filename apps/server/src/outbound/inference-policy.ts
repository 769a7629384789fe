import { AssayError, maskUrlUser } from "@assay/schemas"
import type { Settings } from "../settings/settings-schema.ts"
import { createHostPolicy, type HostPolicy, type HostRule, parseHostRule } from "@assay/http/host-policy"

const SETTING = "ASSAY_ALLOWED_INFERENCE_HOSTS"

/**
 * Which inference endpoints may be asked. A server without auth listens on loopback alone, so whoever reaches it reaches
 * what is on this machine and its network anyway; others are kept away from that, unless the operator lists it.
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

/** The operator's own endpoint, as if it were listed with its scheme and port. @throws `bad_settings` */
export function defaultEndpointRules({
  ASSAY_DEFAULT_INFERENCE_URL: url,
}: Pick<Settings, "ASSAY_DEFAULT_INFERENCE_URL">): readonly HostRule[] {
  if (url === undefined) return []
  const address = URL.parse(url)
  if (address === null || address.username !== "" || address.password !== "") {
    const message = `${DEFAULT} '${maskUrlUser(url)}' is not the address of an inference endpoint; write https://host/v1, without user name and password`
    throw new AssayError("bad_settings", message)
  }
  const { protocol, hostname, port } = address
  const used = port === "" ? (protocol === "https:" ? 443 : 80) : port
  return [parseHostRule(`${protocol}//${hostname}:${used}`, DEFAULT)]
}
