import type { JsonObject } from "../../schemas/json-schema.ts"
import { flagOf, numberOf } from "./config-values.ts"

export interface EmbeddingEvidence {
  readonly architecture: string
  readonly config: JsonObject
  /** Names of the files that are not weights. */
  readonly files: ReadonlySet<string>
  /** Names of the model, its fileset and its repository. */
  readonly names: readonly string[]
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

/**
 * Returns why a checkpoint is considered an embedding model. The list is empty if nothing indicates it or if its head
 * excludes it.
 */
export function embeddingReasons({ architecture, config, files, names }: EmbeddingEvidence): readonly string[] {
  if (WITH_OTHER_HEAD.test(architecture)) return []
  const sentenceFile = SENTENCE_FILES.find((name) => files.has(name))
  const name = names.find((one) => /embed/i.test(one))
  const pooling = numberOf(config, "pooling_type")
  const isBidirectional = /Bidirec/i.test(architecture) || flagOf(config, "use_bidirectional_attention") === true
  return [
    ...(sentenceFile === undefined ? [] : [`'${sentenceFile}' exists, a file of Sentence Transformers`]),
    ...(WITHOUT_HEAD.test(architecture) ? [`the architecture '${architecture}' has no head`] : []),
    ...(isBidirectional ? ["the model is bidirectional but was derived from a generative one"] : []),
    ...(pooling !== undefined && pooling !== GGUF_NO_POOLING ? ["the file states how token vectors are pooled"] : []),
    ...(name === undefined ? [] : [`the name '${name}' has 'embed' in it`]),
  ]
}
