import type { LinearLayer } from "@assay/schemas"
import type { WeightGroup } from "./weights.ts"
import type { Weight } from "./packing.ts"

export interface LinearLayerOptions {
  /** Whether the weights have the shape `[in, out]`. */
  readonly isTransposed: boolean
  /** Hidden size of the model: one side of a matrix whose shape was lost by packing. */
  readonly hidden: number | undefined
}

const TABLE =
  /(embed(?!_out)\w*|wte|wpe|shared|token_embd|token_types|position_embd|relative_attention_bias|pos_emb|embeddings(\.\w+)*|codebook\w*)\.weight$/
/** Modules that write to the residual stream. */
const INTO_STREAM = /\.(o_proj|down_proj|out_proj|wo|w2|fc2|c_proj|dense_4h_to_h|out_lin|lin2)\.weight$/

/**
 * Lists the linear layers among the weights, with one entry per location and size. Matrices that hold all experts at once
 * are not included.
 */
export function linearLayers(groups: readonly WeightGroup[], options: LinearLayerOptions): readonly LinearLayer[] {
  return groups
    .filter(({ pattern }) => pattern.endsWith(".weight") && !TABLE.test(pattern))
    .flatMap(({ pattern, weights }) => {
      const sizes = Map.groupBy(weights, (weight) => sizesOf(weight, options)?.join())
      return [...sizes].flatMap(([size, members]) => {
        const [inFeatures, outFeatures] = size?.split(",").map(Number) ?? []
        if (inFeatures === undefined || outFeatures === undefined) return []
        const name = pattern.slice(0, -".weight".length)
        return [{ name, in_features: inFeatures, out_features: outFeatures, count: members.length }]
      })
    })
}

function sizesOf(weight: Weight, { isTransposed, hidden }: LinearLayerOptions): readonly [number, number] | undefined {
  if (weight.shape === null) return sizesFromWidth(weight, hidden)
  const [rows, columns] = weight.shape
  if (weight.shape.length !== 2 || rows === undefined || columns === undefined) return undefined
  return isTransposed && !weight.name.startsWith("lm_head") ? [rows, columns] : [columns, rows]
}

function sizesFromWidth({ name, elements }: Weight, hidden: number | undefined): readonly [number, number] | undefined {
  if (hidden === undefined || elements % hidden !== 0) return undefined
  const other = elements / hidden
  return INTO_STREAM.test(name) ? [other, hidden] : [hidden, other]
}
