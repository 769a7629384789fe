import { isOfTower } from "./tower.ts"
import { layerOf } from "./weight-groups.ts"
import type { Weight } from "./weight.ts"

/** Weights of the model itself, and those of layers that only draft tokens for it (multi-token prediction). */
export interface SplitWeights {
  readonly model: readonly Weight[]
  readonly draft: readonly Weight[]
}

const DRAFT = /(^|\.)(mtp|mtp_layers|mtp_block|nextn|nextn_predict_layers)\./
/**
 * Tells drafting layers by their names, or by their numbers where they follow the `layers` of the config: DeepSeek-V3 has
 * its layer 61 after 0 to 60.
 */
export function splitDraft(weights: readonly Weight[], layers: number | undefined, draftLayers: number): SplitWeights {
  const isDraft = ({ name }: Weight) => {
    if (DRAFT.test(name)) return true
    if (draftLayers === 0 || layers === undefined || isOfTower(name)) return false
    return (layerOf(name) ?? 0) >= layers
  }
  const { model = [], draft = [] } = Object.groupBy(weights, (weight) => (isDraft(weight) ? "draft" : "model"))
  return { model, draft }
}
