import type { LinearLayer } from "@assay/schemas"
import { flagAt, sizeOf } from "../architecture/config-values.ts"
import type { ModelFamily } from "../architecture/model-families.ts"
import { findEmbeddingTables } from "../tensors/embedding-tables.ts"
import { surveyLayers, type LayerSurvey } from "../tensors/layer-survey.ts"
import { linearLayers } from "../tensors/linear-layers.ts"
import type { StoredTensor } from "../tensors/stored-tensor.ts"
import { groupWeights, isOfTower, splitDraft, sumElements, weightsOf } from "../tensors/weights.ts"
import type { Weight } from "../tensors/packing.ts"
import type { ModelIdentity } from "./identify-model.ts"

/** The facts about a model in the headers of its weights. */
export interface DescribedWeights {
  readonly survey: LayerSurvey
  readonly linearLayers: readonly LinearLayer[]
  readonly parameters: number
  /** Number of parameters of layers that only draft tokens, which are not counted in `parameters`. */
  readonly draftParameters: number
  readonly isTied: boolean
  /** Whether the weights contain an output head of their own. */
  readonly hasStoredHead: boolean
  /** The type of most parameters. */
  readonly precision: string | null
  /** Number of rows in the embedding table. */
  readonly vocabulary: number | undefined
  readonly warnings: readonly string[]
}

/** Counts the parameters of a model and examines its layers, by the names, types and shapes of its tensors. */
export function describeWeights(tensors: readonly StoredTensor[], identity: ModelIdentity): DescribedWeights {
  const { config, family, quantization, hasTokenHead } = identity
  const layers = sizeOf(config, "layers")
  const { model, draft } = splitDraft(weightsOf(tensors, quantization), layers, sizeOf(config, "draftLayers") ?? 0)
  const groups = groupWeights(model)
  const outer = groups.filter((group) => group.layers.size === 0).flatMap(({ weights }) => weights)
  const { input, head, copies } = findEmbeddingTables(outer)
  const isTied = headIsTied(input, head, hasTokenHead, flagAt(config, "tie_word_embeddings") ?? family?.tied)
  const stored = sumElements(model) - sumElements(copies)
  const ffn = sizeOf(config, "ffn")
  const survey = surveyLayers(
    groups.filter(({ pattern }) => !isOfTower(pattern)),
    ffn === undefined ? undefined : 2 * ffn,
  )
  const isTransposed = family?.isTransposed === true
  return {
    survey,
    linearLayers: linearLayers(groups, { isTransposed, hidden: sizeOf(config, "hidden") }),
    parameters: stored - (isTied ? (head?.elements ?? 0) : 0),
    draftParameters: sumElements(draft),
    isTied,
    hasStoredHead: head !== undefined,
    precision: mostCommonPrecision(model),
    vocabulary: input?.shape?.[0],
    warnings: [...draftWarnings(draft), ...layerWarnings(survey, layers, family)],
  }
}

/**
 * Returns whether the head is tied to the embedding table. A stored head is tied if the config says so and its size
 * allows it. A head that is not stored is always tied.
 */
function headIsTied(
  input: Weight | undefined,
  head: Weight | undefined,
  hasHead: boolean,
  isSaid: boolean | undefined,
): boolean {
  if (head !== undefined) return isSaid === true && head.elements === input?.elements
  return input !== undefined && hasHead
}

function mostCommonPrecision(weights: readonly Weight[]): string | null {
  const elements = new Map<string, number>()
  for (const weight of weights) {
    elements.set(weight.precision, (elements.get(weight.precision) ?? 0) + weight.elements)
  }
  return [...elements].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

function draftWarnings(draft: readonly Weight[]): readonly string[] {
  if (draft.length === 0) return []
  const parameters = sumElements(draft).toLocaleString("en-US")
  return [
    `Layers that only draft tokens (multi-token prediction) have ${parameters} more parameters, which are not counted.`,
  ]
}

function layerWarnings(
  survey: LayerSurvey,
  layers: number | undefined,
  family: ModelFamily | undefined,
): readonly string[] {
  if (layers === undefined || family?.kind === "encoder-decoder" || survey.layers === 0 || survey.layers === layers)
    return []
  return [`The config has ${layers} layers, the weights have ${survey.layers}.`]
}
