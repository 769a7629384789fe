import type { Settings } from "../settings/settings-schema.ts"
import { createHostPolicy, type HostPolicy } from "./host-policy.ts"
import { parseHostRule } from "./host-rule.ts"

const SETTING = "ASSAY_ALLOWED_INFERENCE_HOSTS"

/**
 * Which inference endpoints may be asked. A server without auth listens on loopback alone, so whoever reaches it reaches
 * what is on this machine and its network anyway; others are kept away from that, unless the operator lists it.
 */
export function createInferencePolicy({ ASSAY_AUTH, ASSAY_ALLOWED_INFERENCE_HOSTS }: Settings): HostPolicy {
  return createHostPolicy({
    rules: ASSAY_ALLOWED_INFERENCE_HOSTS.map((host) => parseHostRule(host, SETTING)),
    unlisted: ASSAY_AUTH === "off" ? "all-but-link-local" : "public",
    setting: SETTING,
  })
}
