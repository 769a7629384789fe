import type { Quantization } from "@assay/schemas"
import type { JsonObject } from "@assay/json"
import { textAt, textConfig, withDefaultSizes } from "../architecture/config-values.ts"
import { architectureOf, findFamily, type ModelFamily } from "../architecture/model-families.ts"
import { quantizationOf } from "../architecture/quantization-of.ts"
import type { Checkpoint } from "./read-checkpoint.ts"
import { ggufConfig, ggufQuantization } from "../gguf/gguf-config.ts"

/** The identity of a model, determined before its weights are examined. */
export interface ModelIdentity {
  /** The config of the text model if there is a separate one. */
  readonly config: JsonObject
  readonly architecture: string
  /** Undefined if the family is unknown. */
  readonly family: ModelFamily | undefined
  readonly familyName: string
  readonly quantization: Quantization | null
  /** Whether the model outputs scores of tokens. */
  readonly hasTokenHead: boolean
}

const WITH_TOKEN_HEAD = /(For(CausalLM|ConditionalGeneration|MaskedLM|PreTraining)|LMHeadModel)$/

export function identifyModel({ descriptions, tensors, gguf }: Checkpoint): ModelIdentity {
  const whole = gguf === null ? (descriptions.config ?? {}) : ggufConfig(gguf)
  const half = textConfig(whole)
  const family = findFamily([half, whole])
  const config = half === whole ? whole : withDefaultSizes(half, family?.defaults ?? {})
  const architecture = architectureOf([whole, config]) ?? textAt(whole, "model_type") ?? "unknown"
  return {
    config,
    architecture,
    family,
    familyName: family?.family ?? textAt(config, "model_type") ?? architecture,
    quantization: gguf === null ? quantizationOf(config, descriptions.packing) : ggufQuantization(gguf, tensors ?? []),
    hasTokenHead: WITH_TOKEN_HEAD.test(architecture) || (gguf !== null && family?.kind !== "encoder"),
  }
}
