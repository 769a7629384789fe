import { formatTimestamp, isAssayError, type ModelSpec, type ModelAnalysis } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import { describeCheckpoint, type CheckpointDescription } from "./describe/describe-checkpoint.ts"
import { createCheckpointReader, type ReadingCost } from "./files/checkpoint-reader.ts"
import { describeInThread } from "./thread/describe-in-thread.ts"
import { resolveToolCalling, type ToolCallingOptions } from "./tool-calling/resolve-tool-calling.ts"

export interface AnalyzeCheckpointOptions {
  /** Where the checkpoint lies: at the root, or in `alternates/hf`. */
  readonly storage: Storage
  /** `metadata.model` of its fileset: its tool-calling settings win over what the checkpoint says. */
  readonly metadata?: ToolCallingOptions["metadata"]
  /** The specification from before, which fills what neither says about tool calling. */
  readonly earlier?: ToolCallingOptions["earlier"]
  /** What the model, its fileset and its repository are called: `embed` in a name speaks for an embedding model. */
  readonly names?: readonly string[] | undefined
  /** Whether the operator allows tool call plugins. Default false: they are left out with a warning. */
  readonly allowPlugins?: ToolCallingOptions["allowPlugins"]
  /** Needed where plugins are allowed. */
  readonly openFileset?: ToolCallingOptions["openFileset"]
  readonly signal?: AbortSignal | undefined
}

/** What an analysis found. */
export interface CheckpointAnalysis {
  readonly spec: ModelSpec
  readonly warnings: readonly string[]
}

/**
 * Describes the model of a checkpoint from its config files and the headers of its weights, which are all that is read.
 * @throws `not_a_checkpoint` that lists what is missing, `broken_checkpoint` that lists what is wrong, `invalid_request`
 * for a chat template of the metadata that can't be used, what the storage throws, or the reason of `signal`
 */
export async function analyzeCheckpoint(options: AnalyzeCheckpointOptions): Promise<CheckpointAnalysis & ReadingCost> {
  const reader = createCheckpointReader(options.storage, options.signal)
  const analysis = await analyzeDescription(await describeCheckpoint(reader, options.names ?? []), options)
  return { ...analysis, ...reader.cost() }
}

/** The analysis of a checkpoint that is described. */
async function analyzeDescription(
  description: CheckpointDescription,
  options: ToolCallingOptions,
): Promise<CheckpointAnalysis> {
  const { spec, warnings, hasChatFormat } = description
  const tools = await resolveToolCalling(description, options)
  const isChat = tools.chat_template !== null || hasChatFormat
  return {
    spec: {
      ...spec,
      is_chat: isChat && !spec.is_embedding_model,
      chat_template: tools.chat_template,
      tool_call_config: tools.tool_call_config,
    },
    warnings: [...warnings, ...tools.warnings],
  }
}

export interface AnalyzeModelOptions extends AnalyzeCheckpointOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** What the record of a model keeps of an analysis. */
export interface ModelAnalysisOutcome {
  /** Null where it failed: the record keeps the one that it has. */
  readonly spec: ModelSpec | null
  readonly analysis: ModelAnalysis
}

/**
 * Analyses a checkpoint for a model's record, on a thread of its own: what is wrong with it is an outcome too.
 * @throws what is no fault of the checkpoint or its storage, and the reason of `signal`
 */
export async function analyzeModel(options: AnalyzeModelOptions): Promise<ModelAnalysisOutcome> {
  const reader = createCheckpointReader(options.storage, options.signal)
  const settle = (spec: ModelSpec | null, rest: Pick<ModelAnalysis, "status" | "error" | "warnings">) => ({
    spec,
    analysis: { ...rest, ...reader.cost(), analyzed_at: formatTimestamp(options.now()) },
  })
  try {
    const description = await describeInThread(reader, options.names ?? [], options.signal)
    const { spec, warnings } = await analyzeDescription(description, options)
    return settle(spec, { status: "completed", error: null, warnings: [...warnings] })
  } catch (error) {
    if (options.signal?.aborted === true || !isAssayError(error)) throw error
    const { code, message } = error
    return settle(null, { status: "failed", error: { code, message }, warnings: [] })
  }
}
