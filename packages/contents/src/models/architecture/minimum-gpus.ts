import type { LinearLayer } from "@assay/schemas"

export interface TrainingSize {
  readonly parameters: number
  /** Bytes of the weights when nothing but adapters is trained: as they are stored, if packed, else two for each. */
  readonly frozenBytes: number
  readonly linearLayers: readonly LinearLayer[]
  readonly layers: number
  readonly hidden: number
  readonly vocabulary: number
  readonly context: number | null
}

const GPU_BYTES = 80e9
/** The rest is for buffers of communication, one layer gathered at a time, fragments and the framework. */
const USABLE = 0.85
const MAX_GPUS = 4096
const SEQUENCE = 4096
const LORA_RANK = 32
/** Weight and gradient in 16 bits, and of Adam's state a copy of the weight and two moments in 32. */
const TRAINED_BYTES = 2 + 2 + 4 + 4 + 4

/**
 * GPUs of 80 GB that training needs at the least, a power of two; null where 4096 are too few.
 *
 * States are divided among all GPUs (ZeRO-3, FSDP): `16 · P` bytes when all P parameters are trained in mixed precision
 * with Adam (Rajbhandari et al. 2020, ZeRO, §3.1). With LoRA (Hu et al. 2021) the weights are frozen, and adapters of rank
 * 32 on every linear layer, `32 · (in + out)` parameters each, take 16 bytes.
 * Activations are each GPU's own: one sequence of 4096 tokens, or the context if that is shorter, recomputed layer by
 * layer with an attention that stores no scores (Korthikanti et al. 2022, §4 and §5): `2 · s · h` bytes kept for each layer,
 * `34 · s · h` for the one at work, `6 · s · V` for the scores of the vocabulary in 16 and 32 bits.
 */
export function minimumGpus(size: TrainingSize): { readonly allWeights: number | null; readonly lora: number | null } {
  const activations = activationBytes(size)
  const adapters = size.linearLayers.reduce(
    (sum, layer) => sum + LORA_RANK * (layer.in_features + layer.out_features) * layer.count,
    0,
  )
  return {
    allWeights: gpusFor(TRAINED_BYTES * size.parameters, activations),
    lora: gpusFor(size.frozenBytes + TRAINED_BYTES * adapters, activations),
  }
}

function activationBytes({ layers, hidden, vocabulary, context }: TrainingSize): number {
  const tokens = Math.min(SEQUENCE, context ?? SEQUENCE)
  return tokens * (2 * hidden * layers + 34 * hidden + 6 * vocabulary)
}

function gpusFor(states: number, activations: number): number | null {
  for (let gpus = 1; gpus <= MAX_GPUS; gpus *= 2) {
    if (states / gpus + activations <= USABLE * GPU_BYTES) return gpus
  }
  return null
}
