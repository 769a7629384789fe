import type { JobEnvironment, JobPlan, RunnableJob } from "@assay/evaluation"
import { correctScores, judgeDoctor, type PlanOutcome } from "@assay/results"
import { NO_PATIENCE } from "@assay/storage"

/** The parts of a run that corrections need. */
export interface RunToCorrect {
  readonly job: Pick<RunnableJob, "config">
  readonly environment: Pick<JobEnvironment, "outages" | "readLabels">
  readonly options: Pick<Parameters<typeof correctScores>[1], "journal" | "onLog" | "signal">
}

/** Corrects scores by the labels that metrics name, and examines the judges that give scores. A job that is stopped meanwhile ends as one that was stopped before. */
export async function withCorrections(
  outcome: PlanOutcome,
  plan: JobPlan,
  { job: { config }, environment, options: { journal, onLog, signal } }: RunToCorrect,
): Promise<PlanOutcome> {
  const { outages = NO_PATIENCE, readLabels } = environment
  const isOver = outcome.end.kind === "finished" || outcome.end.kind === "budget"
  if (!isOver) return outcome
  const hasStopped = outcome.progress.stoppedEarly !== undefined
  const early = plan.tasks.flatMap((task) => (hasStopped && task.early !== undefined ? [task.name] : []))
  const patient: typeof readLabels =
    readLabels && ((name) => outages.outlast(() => readLabels(name, signal), { signal }))
  try {
    const correct = async () =>
      patient === undefined
        ? outcome.tasks
        : correctScores(outcome.tasks, {
            config,
            journal,
            readLabels: patient,
            endedEarly: new Set(early),
            onLog,
            signal,
          })
    const corrected = await outages.outlast(correct, { signal })
    const examine = () => judgeDoctor.examineScores(corrected, { config, journal, readLabels: patient, signal })
    return { ...outcome, tasks: await outages.outlast(examine, { signal }) }
  } catch (error) {
    if (signal.aborted) return { ...outcome, end: { kind: "aborted" } }
    throw error
  }
}
