import type { JobEnvironment, JobPlan, RunnableJob } from "@assay/evaluation"
import { correctScores, type PlanOutcome } from "@assay/results"
import { NO_PATIENCE } from "@assay/storage"

/** The parts of a run that corrections need. */
export interface RunToCorrect {
  readonly job: Pick<RunnableJob, "config">
  readonly environment: Pick<JobEnvironment, "outages" | "readLabels">
  readonly options: Pick<Parameters<typeof correctScores>[1], "journal" | "onLog" | "signal">
}

/** Corrects scores by the labels that metrics name. A job that is stopped meanwhile ends as one that was stopped before. */
export async function withCorrections(
  outcome: PlanOutcome,
  plan: JobPlan,
  { job: { config }, environment, options: { journal, onLog, signal } }: RunToCorrect,
): Promise<PlanOutcome> {
  const { outages = NO_PATIENCE, readLabels } = environment
  const isOver = outcome.end.kind === "finished" || outcome.end.kind === "budget"
  if (!isOver || readLabels === undefined) return outcome
  const hasStopped = outcome.progress.stoppedEarly !== undefined
  const early = plan.tasks.flatMap((task) => (hasStopped && task.early !== undefined ? [task.name] : []))
  try {
    const correct = () =>
      correctScores(outcome.tasks, {
        config,
        journal,
        readLabels: (reference) => outages.outlast(() => readLabels(reference, signal), { signal }),
        endedEarly: new Set(early),
        onLog,
        signal,
      })
    const tasks = await outages.outlast(correct, { signal })
    return { ...outcome, tasks }
  } catch (error) {
    if (signal.aborted) return { ...outcome, end: { kind: "aborted" } }
    throw error
  }
}
