import type { JsonObject } from "../files/read-json-file.ts"
import { flagOf, sizeOf } from "./config-values.ts"

/**
 * Heads of keys and values: a number of their own (grouped), one (multi-query), or as many as attention heads. Latent
 * attention (MLA) has what its config says, which are the heads after it has been unfolded.
 */
export function kvHeads(config: JsonObject, heads: number): number {
  const isFalcon = flagOf(config, "new_decoder_architecture") !== undefined
  const isMultiQuery = flagOf(config, "multi_query") === true && flagOf(config, "new_decoder_architecture") !== true
  if (isMultiQuery) return 1
  // Old Falcon configs have a number that counts with the new layout alone.
  if (isFalcon && flagOf(config, "new_decoder_architecture") === false) return heads
  return sizeOf(config, "kvHeads") ?? heads
}
