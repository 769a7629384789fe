import type { CheckpointReader } from "../files/checkpoint-reader.ts"
import { readCheckpoint } from "../files/read-checkpoint.ts"
import { ggufTemplate } from "../gguf/gguf-config.ts"
import { checkpointTemplate, type CheckpointTemplate } from "../tool-calling/checkpoint-template.ts"
import { tokenizerTokens } from "../tool-calling/tokenizer-tokens.ts"
import { describeModel, type ModelDescription } from "./describe-model.ts"

/** What the files of a checkpoint say about its model. Plain data, which a thread can send. */
export interface CheckpointDescription extends ModelDescription {
  readonly template: CheckpointTemplate
  /** Special tokens by name. */
  readonly tokens: Readonly<Record<string, string>>
  /** Whether the generation config names a chat format, as the first models for chat did without a template. */
  readonly hasChatFormat: boolean
}

/** @throws `not_a_checkpoint` that lists what is missing, `broken_checkpoint` that lists what is wrong, what `reader` throws */
export async function describeCheckpoint(
  reader: CheckpointReader,
  names: readonly string[],
): Promise<CheckpointDescription> {
  const checkpoint = await readCheckpoint(reader)
  const { descriptions, gguf } = checkpoint
  return {
    ...describeModel(checkpoint, names),
    template: checkpointTemplate(descriptions, gguf === null ? null : ggufTemplate(gguf)),
    tokens: tokenizerTokens(descriptions.tokenizer),
    hasChatFormat: typeof descriptions.generation?.["chat_format"] === "string",
  }
}
