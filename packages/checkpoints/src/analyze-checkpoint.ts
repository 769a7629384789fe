import { formatTimestamp, isAssayError, type ModelSpec, type ModelAnalysis } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import { describeCheckpoint, type CheckpointDescription } from "./describe/describe-checkpoint.ts"
import { createCheckpointReader, type ReadingCost } from "./files/checkpoint-reader.ts"
import { describeInThread } from "./thread/describe-in-thread.ts"
import { resolveToolCalling, type ToolCallingOptions } from "./tool-calling/resolve-tool-calling.ts"

export interface AnalyzeCheckpointOptions {
  /** The storage that holds the checkpoint, at its root or in `alternates/hf`. */
  readonly storage: Storage
  /** `metadata.model` of its fileset. Its tool-calling settings take precedence over the checkpoint. */
  readonly metadata?: ToolCallingOptions["metadata"] | undefined
  /** The previous specification. It supplies tool-calling settings that are given nowhere else. */
  readonly earlier?: ToolCallingOptions["earlier"] | undefined
  /** Names of the model, its fileset and its repository. `embed` in a name indicates an embedding model. */
  readonly names?: readonly string[] | undefined
  /** Whether the operator allows tool call plugins. Default false: plugins are left out with a warning. */
  readonly allowPlugins?: ToolCallingOptions["allowPlugins"] | undefined
  /** Required if plugins are allowed. */
  readonly openFileset?: ToolCallingOptions["openFileset"] | undefined
  readonly signal?: AbortSignal | undefined
}

/** The result of an analysis. */
export interface CheckpointAnalysis {
  readonly spec: ModelSpec
  readonly warnings: readonly string[]
}

/**
 * Describes the model of a checkpoint. Only its config files and the headers of its weights are read.
 * @throws `not_a_checkpoint` that lists what is missing; `broken_checkpoint` that lists what is wrong;
 * `invalid_request` for an unusable chat template in the metadata; what the storage throws; the reason of `signal`
 */
export async function analyzeCheckpoint(options: AnalyzeCheckpointOptions): Promise<CheckpointAnalysis & ReadingCost> {
  const reader = createCheckpointReader(options.storage, options.signal)
  const analysis = await analyzeDescription(await describeCheckpoint(reader, options.names ?? []), options)
  return { ...analysis, ...reader.cost() }
}

/** Completes the analysis of a described checkpoint. */
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

/** The result of an analysis, as it is stored in a model's record. */
export interface ModelAnalysisOutcome {
  /** Null if the analysis failed. The record then keeps its old specification. */
  readonly spec: ModelSpec | null
  readonly analysis: ModelAnalysis
}

/**
 * Analyses a checkpoint for a model's record, on its own thread. Faults of the checkpoint are a result, not an error.
 * @throws errors that are not caused by the checkpoint or its storage; the reason of `signal`
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
