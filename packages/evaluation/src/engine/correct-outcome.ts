import { correctScores, judgeDoctor, type PlanOutcome } from "@assay/results"
import type { JobPlan } from "../plan/task-plan.ts"

type CorrectScoresOptions = Parameters<typeof correctScores>[1]

export interface CorrectOutcomeOptions extends Pick<CorrectScoresOptions, "config" | "journal" | "onLog" | "signal"> {
  /** Absent: labels can't be read here. */
  readonly readLabels?: CorrectScoresOptions["readLabels"] | undefined
}

/**
 * Corrects the scores of a run by the labels that its metrics name, and examines the judges that give scores. A run that was stopped stays as it is.
 * @throws the reason of the signal
 */
export async function correctOutcome(
  outcome: PlanOutcome,
  plan: Pick<JobPlan, "tasks">,
  { config, journal, readLabels, onLog, signal }: CorrectOutcomeOptions,
): Promise<PlanOutcome> {
  if (outcome.end.kind !== "finished" && outcome.end.kind !== "budget") return outcome
  const hasStopped = outcome.progress.stoppedEarly !== undefined
  const early = plan.tasks.flatMap((task) => (hasStopped && task.early !== undefined ? [task.name] : []))
  const given = { config, journal, onLog, signal, endedEarly: new Set(early) }
  const corrected =
    readLabels === undefined ? outcome.tasks : await correctScores(outcome.tasks, { ...given, readLabels })
  return { ...outcome, tasks: await judgeDoctor.examineScores(corrected, { config, journal, readLabels, signal }) }
}
