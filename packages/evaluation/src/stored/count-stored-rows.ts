import { buildResult, type RowsReader, type PlanOutcome, type ScoreGate } from "@assay/results"
import type { EvaluationResult, JobGateState } from "@assay/schemas"
import { correctOutcome, type CorrectOutcomeOptions } from "../engine/correct-outcome.ts"
import { runPlan } from "../engine/run-plan.ts"
import type { RunPlanOptions } from "../engine/run-options.ts"
import { gateStates } from "../gates/gate-states.ts"
import type { Journal } from "../journal/journal.ts"
import type { StoredJob, StoredPlan } from "./stored-task.ts"

export interface CountOptions extends Pick<RunPlanOptions, "environment" | "signal"> {
  /** Reads every row from the first one. It is called more than once. */
  readonly read: RowsReader["read"]
  /** Gates of the job besides those of its configuration. Default: none. */
  readonly gates?: readonly ScoreGate[] | undefined
  /** Corrections by labels of people: `journal` reads the rows with their texts. Absent: nothing is corrected. */
  readonly people?: Pick<CorrectOutcomeOptions, "journal" | "readLabels"> | undefined
}

/** The numbers of a job, counted from its rows. */
export interface StoredNumbers {
  readonly result: Pick<EvaluationResult, "tasks" | "groups">
  /** The gates of its configuration, and then those that were given. */
  readonly gates: readonly JobGateState[]
  readonly end: PlanOutcome["end"]
}

/** Counts the rows of a planned job as its run did: means, intervals, slices, its gates and, with labels, corrected means. */
export async function countStoredRows(
  plan: StoredPlan,
  { id, config }: Pick<StoredJob, "id" | "config">,
  { read, gates, people, environment, signal }: CountOptions,
): Promise<StoredNumbers> {
  const counted = await runPlan(plan, {
    job: { attempt: 1, scope: { kind: "sum" } },
    journal: readOnly(read),
    environment,
    signal,
    onProgress: () => {},
    onLog: () => {},
    onRow: () => {},
    onRetry: () => {},
    onFailure: () => {},
  })
  signal.throwIfAborted()
  const outcome =
    people === undefined ? counted : await correctOutcome(counted, plan, { ...people, config, onLog: () => {}, signal })
  const facts = { id: "", job: id, namespace: "", filesUrl: null, createdAt: 0, config }
  const result = buildResult(outcome, facts)
  return { result, gates: gateStates(plan.gates, outcome.progress, result, gates), end: outcome.end }
}

/** Returns a journal that is only read. */
function readOnly(read: RowsReader["read"]): Journal {
  const nothing = (): Promise<void> => Promise.resolve()
  const refuse = (): never => {
    throw new TypeError("Stored rows are only read.")
  }
  return { read, bytes: refuse, append: refuse, flush: nothing, close: nothing }
}
