/** Bytes of one weight, by the precision in which it is loaded. */
const PRECISIONS = [
  ["float32", 4],
  ["bfloat16, float16", 2],
  ["int8, fp8", 1],
  ["int4", 0.5],
] as const
/** Bytes of a GPU of 80 GB. */
const GPU_BYTES = 80e9
/** The share of a GPU that weights can fill: the rest is for activations and the key-value cache. */
const USABLE = 0.9

export interface PrecisionMemory {
  readonly precision: string
  readonly bytes: number
  /** GPUs of 80 GB that hold the weights. Tensor parallelism needs a power of two. */
  readonly gpus: number
}

/** Returns the memory that the weights alone need, for each precision in which they could be loaded. */
export function memoryByPrecision(parameters: number): readonly PrecisionMemory[] {
  return PRECISIONS.map(([precision, size]) => {
    const bytes = parameters * size
    return { precision, bytes, gpus: 2 ** Math.ceil(Math.log2(Math.max(1, bytes / (GPU_BYTES * USABLE)))) }
  })
}
