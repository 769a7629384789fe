import { denseMlp } from "./decoder-layout.ts"

/** The MLP of a layer of Mixtral, as traits of a decoder take it. */
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

/** The MLP of a layer of Qwen's mixtures. */
export function qwenMlp(hidden: number, inner: number, experts: number) {
  return () => [
    ["mlp.gate", [experts, hidden]] as const,
    ...Array.from({ length: experts }, (_, expert) => denseMlp(hidden, inner, `mlp.experts.${expert}`)).flat(),
  ]
}
