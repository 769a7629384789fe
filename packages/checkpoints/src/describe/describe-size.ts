import type { ModelSpec } from "@assay/schemas"
import { estimateExperts, estimateParameters } from "../architecture/estimate-parameters.ts"
import type { Checkpoint } from "./read-checkpoint.ts"
import type { ModelDimensions } from "./describe-dimensions.ts"
import type { DescribedWeights } from "./describe-weights.ts"
import { minimumGpus } from "./gpu-count.ts"
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
