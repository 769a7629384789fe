import { type JobEnvironment, type JobPlan, type RunnableJob, storedRows } from "@assay/evaluation"
import type { PlanOutcome } from "@assay/results"
import { NO_PATIENCE } from "@assay/storage"

/** The parts of a run that corrections need. */
export interface RunToCorrect {
  readonly job: Pick<RunnableJob, "config">
  readonly environment: Pick<JobEnvironment, "outages" | "readLabels">
  readonly options: Pick<Parameters<typeof storedRows.correct>[2], "journal" | "onLog" | "signal">
}

/** Corrects the outcome of a run by labels of people, also if they are out of reach for a while. A job that is stopped meanwhile ends as one that was stopped before. */
export async function withCorrections(
  outcome: PlanOutcome,
  plan: JobPlan,
  { job: { config }, environment, options }: RunToCorrect,
): Promise<PlanOutcome> {
  const { outages = NO_PATIENCE, readLabels } = environment
  const { signal } = options
  const patient: typeof readLabels =
    readLabels && ((name) => outages.outlast(() => readLabels(name, signal), { signal }))
  const correct = () => storedRows.correct(outcome, plan, { ...options, config, readLabels: patient })
  try {
    return await outages.outlast(correct, { signal })
  } catch (error) {
    if (signal.aborted) return { ...outcome, end: { kind: "aborted" } }
    throw error
  }
}
