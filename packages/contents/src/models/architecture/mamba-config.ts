import type { MambaConfig } from "@assay/schemas"
import type { JsonObject } from "../files/read-json-file.ts"
import type { LayerSurvey } from "../tensors/layer-survey.ts"
import { sizeOf } from "./config-values.ts"
import { layerKinds } from "./layer-kinds.ts"

/** The state-space layers of a model; null for one without. */
export function mambaConfig(config: JsonObject, survey: LayerSurvey | null): MambaConfig | null {
  const kinds = layerKinds(config)
  const mamba = survey?.mambaLayers ?? kinds.mamba
  if (mamba === 0) return null
  const attention = survey?.attentionLayers ?? kinds.attention
  return {
    is_hybrid: attention > 0,
    num_mamba_layers: mamba,
    num_attention_layers: attention,
    num_mlp_layers: survey?.mlpLayers ?? kinds.mlp,
    state_size: sizeOf(config, "stateSize") ?? null,
    conv_kernel: sizeOf(config, "convKernel") ?? null,
  }
}
