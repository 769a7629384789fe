import { denseMlp } from "./decoder-layout.ts"

/** Returns the MLP of a Mixtral layer, for the traits of a decoder. */
export function mixtralMlp(hidden: number, inner: number, experts: number) {
  const module = "block_sparse_moe"
  return () => [
    [`${module}.gate`, [experts, hidden]] as const,
    ...Array.from({ length: experts }, (_, expert) => [
      [`${module}.experts.${expert}.w1`, [inner, hidden]] as const,
      [`${module}.experts.${expert}.w2`, [hidden, inner]] as const,
      [`${module}.experts.${expert}.w3`, [inner, hidden]] as const,
    ]).flat(),
  ]
}

/** Returns the MLP of a layer of Qwen's mixture models. */
export function qwenMlp(hidden: number, inner: number, experts: number) {
  return () => [
    ["mlp.gate", [experts, hidden]] as const,
    ...Array.from({ length: experts }, (_, expert) => denseMlp(hidden, inner, `mlp.experts.${expert}`)).flat(),
  ]
}
