import type { TestTensor } from "./safetensors-file.ts"

export interface MambaSizes {
  readonly hidden: number
  readonly inner: number
  readonly state: number
  readonly conv: number
  readonly step: number
}

/** Returns the tensors of one Mamba block below the module `at`. */
export function mambaBlock(
  at: string,
  { hidden, inner, state, conv, step }: MambaSizes,
  dtype: string,
): readonly TestTensor[] {
  return [
    [`${at}.in_proj.weight`, dtype, [2 * inner, hidden]],
    [`${at}.conv1d.weight`, dtype, [inner, 1, conv]],
    [`${at}.conv1d.bias`, dtype, [inner]],
    [`${at}.x_proj.weight`, dtype, [step + 2 * state, inner]],
    [`${at}.dt_proj.weight`, dtype, [inner, step]],
    [`${at}.dt_proj.bias`, dtype, [inner]],
    [`${at}.A_log`, dtype, [inner, state]],
    [`${at}.D`, dtype, [inner]],
    [`${at}.out_proj.weight`, dtype, [hidden, inner]],
  ]
}

/** Returns the tensors of a Mamba model with tied tables. */
export function mambaTensors(layers: number, vocabulary: number, sizes: MambaSizes): readonly TestTensor[] {
  const blocks = Array.from({ length: layers }, (_, layer): readonly TestTensor[] => [
    [`backbone.layers.${layer}.norm.weight`, "F32", [sizes.hidden]],
    ...mambaBlock(`backbone.layers.${layer}.mixer`, sizes, "F32"),
  ])
  return [
    ["backbone.embeddings.weight", "F32", [vocabulary, sizes.hidden]],
    ...blocks.flat(),
    ["backbone.norm_f.weight", "F32", [sizes.hidden]],
  ]
}
