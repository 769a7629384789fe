import { hash } from "node:crypto"
import type { GuardrailData } from "@assay/schemas"
import { withoutThreshold } from "./input-threshold.ts"
import { sortKeys } from "./sort-keys.ts"
import { withoutDefaults } from "./without-defaults.ts"

/**
 * Returns the digest that identifies a configuration to the last character: prompts, models, parameters, endpoints, policies. The order of
 * keys, and a default that is written out, do not change it, because servers store configurations in their own order with all defaults. It is made of the configuration without the threshold of its only input rail, and of that threshold: whoever knows both parts can compute it.
 */
export function configurationDigest(data: GuardrailData): string {
  const { data: base, threshold } = withoutThreshold(withoutDefaults(data))
  return digestAt(hash("sha256", JSON.stringify(sortKeys(base))), threshold)
}

/** Returns the digest of the configuration that has the digest `base` without a threshold. Null: it has none. */
export function digestAt(base: string, threshold: number | null): string {
  return threshold === null ? base : hash("sha256", JSON.stringify([base, "threshold", threshold]))
}

/** Returns the digest of the questions of a configuration that are asked with log-probabilities. All its thresholds share them. */
export function questionDigest(base: string): string {
  return hash("sha256", JSON.stringify([base, "logprobs"]))
}
