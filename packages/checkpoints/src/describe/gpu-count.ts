import type { LinearLayer } from "@assay/schemas"

interface TrainingSize {
  readonly parameters: number
  /** Bytes of the weights if only adapters are trained: as stored if they are packed, or else 2 bytes per weight. */
  readonly frozenBytes: number
  readonly linearLayers: readonly LinearLayer[]
  readonly layers: number
  readonly hidden: number
  readonly vocabulary: number
  readonly context: number | null
}

const GPU_BYTES = 80e9
/** The rest is for communication buffers, one gathered layer, fragmentation and the framework. */
const USABLE = 0.85
const MAX_GPUS = 4096
const SEQUENCE = 4096
const LORA_RANK = 32
/** Weight and gradient in 16 bits; a copy of the weight and Adam's two moments in 32 bits. */
const TRAINED_BYTES = 2 + 2 + 4 + 4 + 4

/**
 * Returns the minimum number of 80 GB GPUs for training, as a power of two, or null if 4096 are not enough.
 *
 * States are divided among all GPUs (ZeRO-3, FSDP). Training all P parameters in mixed precision with Adam takes `16 ·
 * P` bytes (Rajbhandari et al. 2020, ZeRO, §3.1). With LoRA (Hu et al. 2021) the weights are frozen. Adapters of rank
 * 32 on every linear layer have `32 · (in + out)` parameters each and take 16 bytes per parameter. Each GPU holds its
 * own activations: one sequence of 4096 tokens, or of the context if that is shorter, recomputed layer by layer with an
 * attention that stores no scores (Korthikanti et al. 2022, §4 and §5). That is `2 · s · h` bytes per layer, `34 · s ·
 * h` for the current layer, and `6 · s · V` for the vocabulary scores in 16 and 32 bits.
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
