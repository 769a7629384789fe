import type { Condition, ConditionCode, EvaluationRow } from "@assay/schemas"
import { type ConditionTally, createConditionTally } from "./condition-tally.ts"

/** The share of unreadable answers of a metric from which on they are a condition. */
const UNREADABLE_SHARE = 0.05

/** Unreadable answers that have a remedy of their own, by the reason that is given for them. */
const BY_REASON: Readonly<Record<string, ConditionCode>> = {
  reasoning_only: "judge_budget_exhausted",
  refusal: "judge_refused",
  content_filter: "judge_refused",
}

/** Answers of judges that could not be read, over all metrics. */
export interface JudgeTally {
  addRow(row: EvaluationRow): void
  conditions(): readonly Found[]
}

export interface Found {
  readonly condition: Condition
  readonly firstSeen: number
}

interface MetricTally {
  answers: number
  unreadable: number
  readonly byCode: Map<ConditionCode, ConditionTally>
  readonly byReason: Map<string, number>
}

/** Every row passes through it, nearly all of them readable: so that way is short. */
export function createJudgeTally(now: () => number): JudgeTally {
  const tasks = new Map<string, Map<string, MetricTally>>()

  function tallyOf(task: string, metric: string): MetricTally {
    let metrics = tasks.get(task)
    if (metrics === undefined) tasks.set(task, (metrics = new Map()))
    let tally = metrics.get(metric)
    if (tally === undefined) {
      metrics.set(metric, (tally = { answers: 0, unreadable: 0, byCode: new Map(), byReason: new Map() }))
    }
    return tally
  }

  return {
    addRow(row) {
      for (const metric in row.scores) {
        const tally = tallyOf(row.task, metric)
        tally.answers += 1
        const unreadable = row.unreadable?.[metric]
        if (unreadable !== undefined) addUnreadable(tally, row.row_index, unreadable, now())
      }
    },
    conditions: () =>
      [...tasks].flatMap(([task, metrics]) =>
        [...metrics]
          .filter(([, { answers, unreadable }]) => unreadable > 0 && unreadable / answers >= UNREADABLE_SHARE)
          .flatMap(([metric, tally]) => foundIn(`'${metric}' of task '${task}'`, tally)),
      ),
  }
}

function addUnreadable(
  tally: MetricTally,
  row: number,
  { reason, raw }: NonNullable<EvaluationRow["unreadable"]>[string],
  at: number,
): void {
  const code = BY_REASON[reason] ?? "judge_output_unreadable"
  const found = tally.byCode.get(code) ?? createConditionTally(code)
  tally.byCode.set(code, found)
  tally.unreadable += 1
  tally.byReason.set(reason, (tally.byReason.get(reason) ?? 0) + 1)
  const line = raw.trim() === "" ? `an empty answer (${reason})` : raw
  found.add({ code, message: line }, { at, place: `row ${row} (${reason})`, lines: [line], isRow: true })
}

function foundIn(name: string, { answers, byCode, byReason }: MetricTally): readonly Found[] {
  return [...byCode.values()].map((tally) => {
    const reasons = [...byReason].filter(([reason]) => (BY_REASON[reason] ?? "judge_output_unreadable") === tally.code)
    const told = reasons.map(([reason, count]) => `${reason} ${count}`).join(", ")
    const share = formatShare(tally.count() / answers)
    const message = `${tally.count()} of ${answers} answers of the judge for ${name} (${share}) have no score in them (${told}); they are left out of its mean.`
    return { condition: tally.condition(() => message), firstSeen: tally.firstSeen() }
  })
}

/** As percent, and never as none where there are some. */
export function formatShare(share: number): string {
  const percent = share * 100
  return percent > 0 && percent < 0.1 ? "< 0.1 %" : `${Number(percent.toFixed(1))} %`
}
