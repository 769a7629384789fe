import { hash } from "node:crypto"
import type { GuardrailData } from "@assay/schemas"

/** Returns the digest that identifies a configuration to the last character: prompts, models, parameters, endpoints, policies. */
export function configurationDigest(data: GuardrailData): string {
  return hash("sha256", JSON.stringify(data))
}
