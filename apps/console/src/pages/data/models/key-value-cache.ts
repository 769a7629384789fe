import type { ModelSpec } from "@assay/schemas"

/** The cache of keys and values has 16 bits for each number. */
const CACHE_BYTES = 2

type CachedParts = Pick<
  ModelSpec,
  "linear_layers" | "num_layers" | "num_kv_heads" | "num_attention_heads" | "hidden_size" | "mamba_config"
>

/**
 * Returns the bytes that the cache needs for one token: the outputs of the projections to keys and values, or of their common
 * compression. Without such layers, heads times their usual size. Null if the specification says neither.
 */
export function cacheBytesOf(spec: CachedParts): number | null {
  const outputsOf = (pattern: RegExp) =>
    spec.linear_layers
      .filter(({ name }) => pattern.test(name))
      .reduce((sum, { out_features, count }) => sum + out_features * count, 0)
  const compressed = outputsOf(/\.kv_a_proj(?:_with_mqa)?$/u)
  if (compressed > 0) return compressed * CACHE_BYTES
  const projected = outputsOf(/\.[kv]_proj$/u)
  if (projected > 0) return projected * CACHE_BYTES
  const { num_layers, num_attention_heads: heads, num_kv_heads, hidden_size, mamba_config } = spec
  const layers = mamba_config?.num_attention_layers ?? num_layers
  if (layers === null || heads === null || hidden_size === null) return null
  return 2 * layers * (num_kv_heads ?? heads) * (hidden_size / heads) * CACHE_BYTES
}
