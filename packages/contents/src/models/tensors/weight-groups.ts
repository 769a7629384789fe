import type { Weight } from "./weights.ts"

/** Weights whose names differ in numbers alone: one place in every layer, or in every expert of every layer. */
export interface WeightGroup {
  /** The name with `*` for each number. */
  readonly pattern: string
  readonly weights: readonly Weight[]
  readonly elements: number
  /** The layers that it is found in; empty outside of layers. */
  readonly layers: ReadonlySet<number>
}

const NUMBER = /(?<=^|\.)\d+(?=\.|$)/g
const IN_LAYER = /(?:^|\.)(?:layers|layer|h|blocks|block|blk)\.(\d+)\./

/** Layer that a weight belongs to; undefined outside of layers. */
function layerOf(name: string): number | undefined {
  const number = IN_LAYER.exec(name)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Groups `weights`, in the order of the patterns. */
export function groupWeights(weights: readonly Weight[]): readonly WeightGroup[] {
  const groups = Map.groupBy(weights, ({ name }) => name.replaceAll(NUMBER, "*"))
  return [...groups]
    .map(([pattern, members]) => ({
      pattern,
      weights: members,
      elements: sumElements(members),
      layers: new Set(members.flatMap(({ name }) => layerOf(name) ?? [])),
    }))
    .toSorted((a, b) => (a.pattern < b.pattern ? -1 : 1))
}

export function sumElements(weights: readonly Weight[]): number {
  return weights.reduce((sum, { elements }) => sum + elements, 0)
}

const TOWER = /(^|\.)(vision\w*|visual\w*|vit|audio\w*|image_\w+|img_\w+|speech\w*|multi_modal_projector)\./

/** Whether a weight belongs to a tower for images or sound, whose layers say nothing about those of the text model. */
export function isOfTower(name: string): boolean {
  return TOWER.test(name)
}

/** Weights of the model itself, and those of layers that only draft tokens for it (multi-token prediction). */
interface SplitWeights {
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
