import type { LinearLayer, ModelSpec } from "@assay/schemas"
import { estimateExperts, estimateParameters } from "../architecture/estimate-parameters.ts"
import type { Checkpoint } from "../files/read-checkpoint.ts"
import type { ModelDimensions } from "./describe-dimensions.ts"
import type { DescribedWeights } from "./describe-weights.ts"
import type { ModelIdentity } from "./identify-model.ts"

type ModelSize = Pick<
  ModelSpec,
  | "base_num_parameters"
  | "active_num_parameters"
  | "draft_num_parameters"
  | "parameters_estimated"
  | "weights_bytes"
  | "linear_layers"
  | "minimum_gpus_all_weights"
  | "minimum_gpus_lora"
>

/** Describes the size of a model and what training it requires. */
export function describeSize(
  { tensors, weights: { files } }: Checkpoint,
  identity: ModelIdentity,
  dimensions: ModelDimensions,
  weights: DescribedWeights | null,
): ModelSize {
  const stored = tensors ?? files.map(({ size }) => ({ bytes: size }))
  const bytes = stored.reduce((sum, one) => sum + one.bytes, 0)
  const parameters = weights?.parameters ?? estimate(identity, dimensions)
  const linearLayers = weights?.linearLayers ?? []
  const { num_layers: layers, hidden_size: hidden, vocab_size: vocabulary, context_size: context } = dimensions
  const frozenBytes = identity.quantization === null ? 2 * (parameters ?? 0) : bytes
  const gpus =
    parameters === null || layers === null || hidden === null
      ? { allWeights: null, lora: null }
      : minimumGpus({ parameters, frozenBytes, linearLayers, layers, hidden, vocabulary: vocabulary ?? 0, context })
  return {
    base_num_parameters: parameters,
    active_num_parameters: activeParameters(parameters, dimensions, weights),
    draft_num_parameters: weights?.draftParameters ?? null,
    parameters_estimated: weights === null,
    weights_bytes: bytes,
    linear_layers: [...linearLayers],
    minimum_gpus_all_weights: gpus.allWeights,
    minimum_gpus_lora: gpus.lora,
  }
}

/** Returns the number of parameters without the routed experts that do not process a token. All experts have the same size. */
function activeParameters(
  parameters: number | null,
  { moe_config: moe, hidden_size: hidden, gated_mlp: isGated }: ModelDimensions,
  weights: DescribedWeights | null,
): number | null {
  if (parameters === null || moe === null || moe.num_experts_per_tok === null) return null
  const routed = weights === null ? estimateExperts(hidden, moe, isGated) : weights.survey.expertElements
  const unused = moe.num_experts - moe.num_experts_per_tok
  // Without elements, the weights have experts under names that are not known.
  if (routed === null || routed === 0 || unused < 0) return null
  return parameters - Math.round((routed / moe.num_experts) * unused)
}

function estimate({ config, family }: ModelIdentity, dimensions: ModelDimensions): number | null {
  return estimateParameters({
    config,
    kind: family?.kind ?? "decoder",
    ffn: dimensions.ffn_hidden_size ?? 0,
    isGated: dimensions.gated_mlp,
    isTied: dimensions.tied_embeddings,
    moe: dimensions.moe_config,
    mamba: dimensions.mamba_config,
  })
}

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
