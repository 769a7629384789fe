/** Bytes of one weight, by the precision in which it is loaded. */
const PRECISIONS = [
  ["float32", 4],
  ["bfloat16, float16", 2],
  ["int8, fp8", 1],
  ["int4", 0.5],
] as const
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
