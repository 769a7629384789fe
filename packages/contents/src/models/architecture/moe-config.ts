import type { MoeConfig } from "@assay/schemas"
import type { JsonObject } from "../files/read-json-file.ts"
import type { LayerSurvey } from "../tensors/layer-survey.ts"
import { sizeOf } from "./config-values.ts"
import { layerKinds } from "./layer-kinds.ts"

/** The experts of a model; null for one without. Layers are counted in the weights where their headers were read. */
export function moeConfig(config: JsonObject, survey: LayerSurvey | null): MoeConfig | null {
  const experts = sizeOf(config, "experts") ?? survey?.experts ?? 0
  const layers = survey?.expertLayers ?? layerKinds(config).expert
  if (experts < 2 || layers === 0) return null
  const shared = sizeOf(config, "sharedExperts") ?? (hasSharedExpert(config, survey) ? 1 : 0)
  return {
    num_experts: experts,
    num_experts_per_tok: sizeOf(config, "expertsPerToken") ?? null,
    num_expert_layers: layers,
    expert_ffn_size: sizeOf(config, "expertFfn") ?? ownFfn(config) ?? null,
    num_shared_experts: shared,
  }
}

/** Where there is no size for experts, the size of the MLP is theirs. */
function ownFfn(config: JsonObject): number | undefined {
  return sizeOf({ intermediate_size: config["intermediate_size"] }, "ffn") ?? sizeOf(config, "ffn")
}

function hasSharedExpert(config: JsonObject, survey: LayerSurvey | null): boolean {
  if (survey !== null) return survey.hasSharedExpert
  return Number(config["shared_expert_intermediate_size"] ?? config["shared_intermediate_size"] ?? 0) > 0
}
