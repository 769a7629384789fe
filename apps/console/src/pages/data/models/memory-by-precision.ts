import type { ModelSpec } from "@assay/schemas"

/** Bytes of one weight, by the precision in which it is loaded. */
const PRECISIONS = [
  ["float32", 4],
  ["bfloat16, float16", 2],
  ["int8, fp8", 1],
  ["int4", 0.5],
] as const
/** The cache of keys and values has 16 bits for each number. */
const CACHE_BYTES = 2
const GIB = 2 ** 30
/** The share of a GPU that weights and cache can fill. The rest is for activations and the program. */
export const USABLE = 0.9

/** The GPU, the context and the batch with which a model is served. */
export interface Serving {
  /** GiB of one GPU. */
  readonly gpu: number
  /** Tokens of a sequence. */
  readonly context: number
  /** Sequences at a time. */
  readonly batch: number
}

export interface PrecisionMemory {
  readonly precision: string
  /** Bytes of the weights. */
  readonly weights: number
  /** Bytes of weights and cache. */
  readonly total: number
  /** GPUs that hold both; a power of two, as tensor parallelism needs. */
  readonly gpus: number
}

/** Returns the memory that a model needs for each precision of its weights. @param cacheBytes of one token */
export function memoryByPrecision(
  parameters: number,
  cacheBytes: number | null,
  { gpu, context, batch }: Serving,
): readonly PrecisionMemory[] {
  return PRECISIONS.map(([precision, size]) => {
    const weights = parameters * size
    const total = weights + (cacheBytes ?? 0) * context * batch
    return { precision, weights, total, gpus: 2 ** Math.ceil(Math.log2(Math.max(1, total / (gpu * GIB * USABLE)))) }
  })
}

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
