import { labelsNeeded } from "@assay/metrics"
import { formatCount } from "@assay/reports"
import type { EvaluationConfigBody, EvaluationResult } from "@assay/schemas"
import { listScores } from "../scores/list-scores.ts"

/** Metrics whose scores are the opinion of a model. */
const JUDGES: ReadonlySet<string> = new Set(["llm-judge"])
/** Returns whether the scores of a metric are the opinion of a model. */
export function isJudgeMetric(
  config: Pick<EvaluationConfigBody, "tasks"> | undefined,
  { task, metric }: { readonly task: string; readonly metric: string },
): boolean {
  return JUDGES.has(config?.tasks?.[task]?.metrics?.[metric]?.type ?? "")
}

/** The recommended reach of an interval, as a share of the scale. */
const REACH = 0.05

/** The advice about a judge that nobody has compared with people. */
export interface JudgeAdvice {
  /** As `metric.score`. */
  readonly metric: string
  readonly text: string
}

/**
 * Returns the advice for each score of a judge: how many labels would give an interval of ±5 points.
 * @param jobOrFolder the job as commands name it: its id, or its folder
 */
export function judgeAdvice(
  { tasks = {} }: Pick<EvaluationConfigBody, "tasks">,
  result: Pick<EvaluationResult, "tasks" | "groups">,
  jobOrFolder: string,
): readonly JudgeAdvice[] {
  return listScores(result).flatMap(({ task, metric, score, name, found: { stats, corrected } }) => {
    const config = tasks[task]?.metrics?.[metric]
    // Labels of the metric that belong to no row of this job do not validate it.
    const isJudge = isJudgeMetric({ tasks }, { task, metric }) && (corrected === undefined || corrected.labels === 0)
    if (!isJudge || stats === undefined || stats.scored === 0) return []
    // In units of the scale. The deviation of labels is not known before there are some: this is the largest possible one.
    const needed = labelsNeeded({ reach: REACH, deviation: 0.5, rows: Infinity })
    const { scored } = stats
    const few =
      needed > scored ? ` This job has ${formatCount(scored, "row")}, whose labels give a wider interval.` : ""
    const kept = config?.labels === undefined ? ` If the metric names them in "labels", each run is corrected.` : ""
    const command = `assay label next ${jobOrFolder} --metric ${metric}.${score}`
    const text = `${name}: no row has a label of a person, so nobody knows how far this judge is from people. Labels of ${needed} rows say it to ±5 points.${few}${kept} Draw rows to label: ${command}`
    return [{ metric: `${metric}.${score}`, text }]
  })
}
