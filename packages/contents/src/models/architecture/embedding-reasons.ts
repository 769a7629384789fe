import type { JsonObject } from "../../schemas/json-schema.ts"
import { flagOf, numberOf } from "./config-values.ts"

export interface EmbeddingEvidence {
  readonly architecture: string
  readonly config: JsonObject
  /** Names of the files beside the weights. */
  readonly files: ReadonlySet<string>
  /** What the model, its fileset and its repository are called. */
  readonly names: readonly string[]
}

const SENTENCE_FILES = ["modules.json", "config_sentence_transformers.json", "sentence_bert_config.json"]
/** Classes that end in vectors of tokens: every class with a head is `…For…` or `…LMHeadModel`. */
const WITHOUT_HEAD = /^(?!.*(For[A-Z]|LMHead))\w+Model$/
/** Classes that answer with labels or tokens, whatever they were made from. */
const WITH_OTHER_HEAD = /For(SequenceClassification|TokenClassification|QuestionAnswering|ConditionalGeneration)$/
const GGUF_NO_POOLING = 0

/** Why a checkpoint is taken for an embedding model; empty where nothing speaks for it, or its head speaks against it. */
export function embeddingReasons({ architecture, config, files, names }: EmbeddingEvidence): readonly string[] {
  if (WITH_OTHER_HEAD.test(architecture)) return []
  const sentenceFile = SENTENCE_FILES.find((name) => files.has(name))
  const name = names.find((one) => /embed/i.test(one))
  const pooling = numberOf(config, "pooling_type")
  const isBidirectional = /Bidirec/i.test(architecture) || flagOf(config, "use_bidirectional_attention") === true
  return [
    ...(sentenceFile === undefined ? [] : [`'${sentenceFile}' is there, which Sentence Transformers writes`]),
    ...(WITHOUT_HEAD.test(architecture) ? [`the architecture '${architecture}' has no head`] : []),
    ...(isBidirectional ? ["a model that reads both ways has been made from one that generates"] : []),
    ...(pooling !== undefined && pooling !== GGUF_NO_POOLING
      ? ["the file says how the vectors of tokens are pooled"]
      : []),
    ...(name === undefined ? [] : [`the name '${name}' has 'embed' in it`]),
  ]
}
