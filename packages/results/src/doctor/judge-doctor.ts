import type { EvaluationConfigBody, EvaluationResult, LabelReport, LabelRow } from "@assay/schemas"
import type { RowsReader } from "../rows/read-rows.ts"
import type { GateOutcome } from "../scores/check-gates.ts"
import { judgedComparisons, type JudgedScore, selfPreferences } from "./compare-judged.ts"
import { examineScore, examineScores, isLabelledBy } from "./examine-scores.ts"
import { effectSentences, type GateEffect, gateEffects } from "./gate-effects.ts"
import { judgeScores } from "./judge-scores.ts"
import { readVerdicts, type Verdicts } from "./read-verdicts.ts"
import { swapRows } from "./swap-rows.ts"

/** A finished job whose judges are examined. */
export interface JobToExamine {
  /** The job as the user wrote it. */
  readonly name: string
  readonly config: EvaluationConfigBody
  /** The model that answered. Null: it is not known. */
  readonly target: string | null
  readonly result: EvaluationResult
  readonly gates: readonly Pick<GateOutcome, "name" | "limit" | "verdict">[]
  readonly journal: Pick<RowsReader, "read">
  /** Journals in which the same judges were asked again about the same outputs. */
  readonly asked?: readonly Pick<RowsReader, "read">[]
  /** A journal in which they saw the two answers of a row in the other order. Its rows are as they were before. */
  readonly swapped?: Pick<RowsReader, "read"> | undefined
  /** Reads what people say. `metric` is `metric.score`. */
  readonly people: {
    readonly list: (metric: string) => Promise<readonly LabelRow[]>
    readonly report: (metric: string) => Promise<LabelReport>
  }
}

/** A score with what is known about its judge. */
export interface ExaminedScore extends JudgedScore {
  readonly task: string
  readonly metric: string
  readonly score: string
  readonly labels: LabelReport
  readonly gates: readonly GateEffect[]
}

/** Examines all judges of a job. */
async function examineJob(job: JobToExamine, signal?: AbortSignal): Promise<readonly ExaminedScore[]> {
  const { config, result, journal, asked = [] } = job
  const scores = judgeScores(config, result)
  const labels = new Map<string, readonly LabelRow[]>()
  for (const { metric, score } of scores) {
    const name = `${metric}.${score}`
    if (!labels.has(name)) labels.set(name, await job.people.list(name))
  }
  const options = { isLabelled: isLabelledBy(labels.values()), signal }
  const read = await readVerdicts(journal, scores, options)
  const again: (readonly Verdicts[])[] = []
  for (const one of asked) again.push(await readVerdicts(one, scores, options))
  const swapped = job.swapped === undefined ? [] : await readVerdicts(job.swapped, scores, options)
  const examined: ExaminedScore[] = []
  for (const [at, one] of scores.entries()) {
    const { task, metric, score, name, found } = one
    const verdicts = read[at]
    const mean = found.stats?.mean
    if (verdicts === undefined || typeof mean !== "number") continue
    const report = await job.people.report(`${metric}.${score}`)
    const judge = examineScore(config, one, {
      verdicts,
      labels: labels.get(`${metric}.${score}`) ?? [],
      correction: report,
      repeats: again.flatMap((other) => (other[at] === undefined ? [] : [other[at].verdicts])),
      swapped: swapped[at]?.verdicts,
    })
    const gates = gateEffects({ task, metric, name }, report.corrected, job.gates)
    const { corrected } = report
    const interval = found.stats?.interval ?? null
    const about = { job: job.name, target: job.target, name, mean, interval }
    examined.push({ ...about, task, metric, score, judge, corrected, labels: report, gates })
  }
  return examined
}

/** Says whether judges are any good. */
export const judgeDoctor = Object.freeze({
  examine: examineJob,
  examineScores,
  scores: judgeScores,
  selfPreferences,
  comparisons: judgedComparisons,
  effects: gateEffects,
  effectSentences,
  swapRows,
})
