import type { JsonObject } from "@assay/json"
import { flagAt, numberAt, TEXT_HALVES, textAt, textsOf } from "./config-values.ts"

export interface EmbeddingEvidence {
  readonly architecture: string
  readonly config: JsonObject
  /** Names of the files that are not weights. */
  readonly files: ReadonlySet<string>
  /** Names of the model, its fileset and its repository. */
  readonly names: readonly string[]
  /** Whether the checkpoint has a chat template. */
  readonly hasTemplate: boolean
  /** Whether the weights contain an output head of their own. Undefined if their headers can't be read. */
  readonly hasStoredHead: boolean | undefined
}

const SENTENCE_FILES = ["modules.json", "config_sentence_transformers.json", "sentence_bert_config.json"]
/**
 * Classes without a head, whose output is one vector per token. The names of classes with a head contain `For…` or end
 * in `LMHeadModel`.
 */
const WITHOUT_HEAD = /^(?!.*(For[A-Z]|LMHead))\w+Model$/
/** Classes whose output is labels or tokens, even if they were derived from embedding models. */
const WITH_OTHER_HEAD = /For(SequenceClassification|TokenClassification|QuestionAnswering|ConditionalGeneration)$/
const GGUF_NO_POOLING = 0

/** Classes with custom code that generate text although their names name no head, such as `InternVLChatModel`. */
const GENERATIVE_CLASS = /(Chat|Omni|ChatGLM)Model$|^NVLM_D_Model$/
const GENERATIVE_HEAD = /For(CausalLM|ConditionalGeneration)$|LMHeadModel$/
/** The automatic classes of `transformers` that generate text. */
const GENERATIVE_AUTO_CLASSES = [
  "AutoModelForCausalLM",
  "AutoModelForSeq2SeqLM",
  "AutoModelForVision2Seq",
  "AutoModelForImageTextToText",
  "AutoModelForMultimodalLM",
]

/**
 * Returns why a checkpoint is considered an embedding model. The list is empty if nothing indicates it or if its head
 * excludes it.
 */
export function embeddingReasons(evidence: EmbeddingEvidence): readonly string[] {
  const { architecture, config, files, names } = evidence
  if (WITH_OTHER_HEAD.test(architecture)) return []
  const sentenceFile = SENTENCE_FILES.find((name) => files.has(name))
  const name = names.find((one) => /embed/i.test(one))
  const pooling = numberAt(config, "pooling_type")
  const isBidirectional = /Bidirec/i.test(architecture) || flagAt(config, "use_bidirectional_attention") === true
  return [
    ...(sentenceFile === undefined ? [] : [`'${sentenceFile}' exists, a file of Sentence Transformers`]),
    ...(WITHOUT_HEAD.test(architecture) && !isGenerative(evidence)
      ? [`the architecture '${architecture}' has no head`]
      : []),
    ...(isBidirectional ? ["the model is bidirectional but was derived from a generative one"] : []),
    ...(pooling !== undefined && pooling !== GGUF_NO_POOLING ? ["the file states how token vectors are pooled"] : []),
    ...(name === undefined ? [] : [`the name '${name}' has 'embed' in it`]),
  ]
}

/** Returns whether a model generates text although the name of its class does not say so. */
function isGenerative({ architecture, config, hasTemplate, hasStoredHead }: EmbeddingEvidence): boolean {
  return (
    hasTemplate ||
    hasStoredHead === true ||
    GENERATIVE_CLASS.test(architecture) ||
    GENERATIVE_AUTO_CLASSES.some((name) => textAt(config, `auto_map.${name}`) !== undefined) ||
    TEXT_HALVES.some((half) => textsOf(config, `${half}.architectures`)?.some((name) => GENERATIVE_HEAD.test(name)))
  )
}
