import type { Weight } from "./weights.ts"

/** Weights whose names differ only in numbers: the same place in every layer, or in every expert of every layer. */
export interface WeightGroup {
  /** The name with `*` for each number. */
  readonly pattern: string
  readonly weights: readonly Weight[]
  readonly elements: number
  /** The layers that contain it. Empty for weights outside layers. */
  readonly layers: ReadonlySet<number>
}

const NUMBER = /(?<=^|\.)\d+(?=\.|$)/g
const IN_LAYER = /(?:^|\.)(?:layers|layer|h|blocks|block|blk)\.(\d+)\./

/** Returns the layer of a weight, or undefined for weights outside layers. */
function layerOf(name: string): number | undefined {
  const number = IN_LAYER.exec(name)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Groups `weights`, sorted by pattern. */
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

/** Returns whether a weight is part of a model for images or sound, whose layers are not those of the text model. */
export function isOfTower(name: string): boolean {
  return TOWER.test(name)
}

/** The weights of the model, and those of layers that only draft tokens for it (multi-token prediction). */
interface SplitWeights {
  readonly model: readonly Weight[]
  readonly draft: readonly Weight[]
}

const DRAFT = /(^|\.)(mtp|mtp_layers|mtp_block|nextn|nextn_predict_layers)\./
/**
 * Separates drafting layers. They are recognized by name, or by a number after the `layers` of the config: DeepSeek-V3
 * has layers 0 to 60 and drafting layer 61.
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
