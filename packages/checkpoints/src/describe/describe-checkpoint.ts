import type { ModelSpec } from "@assay/schemas"
import type { JsonObject } from "@assay/json"
import { numberAt, textAt } from "../architecture/config-values.ts"
import { embeddingReasons } from "../architecture/embedding-reasons.ts"
import type { ModelFamily } from "../architecture/model-families.ts"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"
import { readCheckpoint, type Checkpoint } from "./read-checkpoint.ts"
import { ggufTemplates } from "../gguf/gguf-config.ts"
import { precisionOf } from "../tensors/stored-tensor.ts"
import { checkpointTemplate, tokenizerTokens, type CheckpointTemplate } from "../tool-calling/checkpoint-template.ts"
import { describeDimensions, type ModelDimensions } from "./describe-dimensions.ts"
import { describeSize } from "./describe-size.ts"
import { describeWeights } from "./describe-weights.ts"
import { identifyModel } from "./identify-model.ts"

/** The facts about a model in the files of its checkpoint. Plain data that can be sent between threads. */
export interface CheckpointDescription extends ModelDescription {
  readonly template: CheckpointTemplate
  /** Special tokens by name. */
  readonly tokens: Readonly<Record<string, string>>
  /** Whether the generation config names a chat format, as early chat models without a template did. */
  readonly hasChatFormat: boolean
}

/**
 * Reads and describes a checkpoint.
 * @throws `not_a_checkpoint` that lists what is missing; `broken_checkpoint` that lists what is wrong; what `reader`
 * throws
 */
export async function describeCheckpoint(
  reader: CheckpointReader,
  names: readonly string[],
): Promise<CheckpointDescription> {
  const checkpoint = await readCheckpoint(reader)
  const { descriptions, gguf } = checkpoint
  const template = checkpointTemplate(descriptions, gguf === null ? new Map() : ggufTemplates(gguf))
  return {
    ...describeModel(checkpoint, names, template.text !== null),
    template,
    tokens: tokenizerTokens(descriptions.tokenizer),
    hasChatFormat: typeof descriptions.generation?.["chat_format"] === "string",
  }
}

/** The specification without the parts that are merged from several sources. */
type DescribedModel = Omit<ModelSpec, "chat_template" | "tool_call_config" | "is_chat">

interface ModelDescription {
  readonly spec: DescribedModel
  readonly family: ModelFamily | undefined
  readonly warnings: readonly string[]
}

/**
 * Describes the model of a checkpoint, without its chat template. `names` are the names of the model and its locations.
 */
function describeModel(checkpoint: Checkpoint, names: readonly string[], hasTemplate: boolean): ModelDescription {
  const { descriptions, weights, tensors, files } = checkpoint
  const identity = identifyModel(checkpoint)
  const { architecture, config, family, familyName, quantization } = identity
  const described = tensors === null ? null : describeWeights(tensors, identity)
  const dimensions = describeDimensions(identity, described, descriptions.tokenizer)
  const reasons = embeddingReasons({
    architecture,
    config,
    files,
    names,
    hasTemplate,
    hasStoredHead: described?.hasStoredHead,
  })
  const spec: DescribedModel = {
    checkpoint_model_name: architecture,
    family: familyName,
    ...dimensions,
    precision: described?.precision ?? configPrecision(config),
    quantization: quantization ?? narrowFloats(described?.precision),
    is_embedding_model: reasons.length > 0,
    embedding_reasons: [...reasons],
    ...describeSize(checkpoint, identity, dimensions, described),
    num_virtual_tokens: numberAt(descriptions.adapter ?? {}, "num_virtual_tokens") ?? 0,
  }
  const warnings = [
    ...weights.warnings,
    ...(described?.warnings ?? []),
    ...(described === null
      ? ["No header of the weights can be read; the parameters are estimated from the config."]
      : []),
    ...familyWarnings(family, familyName),
    ...missingSizes(dimensions),
  ]
  return { spec, family, warnings }
}

/** Returns `torch_dtype` of the config, called `dtype` in newer ones. */
function configPrecision(config: JsonObject): string | null {
  return (textAt(config, "dtype") ?? textAt(config, "torch_dtype"))?.replace(/^torch\./, "") ?? null
}

/** Returns the quantization of 8-bit float weights, which are packed even if the config does not say so. */
function narrowFloats(precision: string | null | undefined): ModelSpec["quantization"] {
  if (precision !== precisionOf("F8_E4M3") && precision !== precisionOf("F8_E5M2")) return null
  return { method: "fp8", format: precision.replace("float8_", ""), bits: 8, group_size: null }
}

function familyWarnings(family: ModelFamily | undefined, name: string): readonly string[] {
  if (family !== undefined) return []
  return [`The family '${name}' is not known by name: it is described by its config and weights alone.`]
}

function missingSizes(dimensions: ModelDimensions): readonly string[] {
  const needed = ["num_layers", "hidden_size", "vocab_size"] as const
  const missing = needed.filter((key) => dimensions[key] === null)
  return missing.length === 0 ? [] : [`Neither config nor weights state: ${missing.join(", ")}.`]
}
