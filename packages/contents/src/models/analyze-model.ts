import { formatTimestamp, isAssayError, type ModelAnalysis, type ModelSpec } from "@assay/schemas"
import { analyzeDescription, type AnalyzeCheckpointOptions } from "./analyze-checkpoint.ts"
import { createCheckpointReader } from "./files/checkpoint-reader.ts"
import { describeInThread } from "./thread/describe-in-thread.ts"

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
