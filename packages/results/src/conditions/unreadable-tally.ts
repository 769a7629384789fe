import type { ConditionCode, EvaluationRow } from "@assay/schemas"
import { formatShare, type TallyContext } from "./answer-tally.ts"
import type { RowPosition } from "./condition-findings.ts"
import { createConditionTally, type ConditionTally, type Found } from "./condition-tally.ts"

/** The share of a metric's answers from which unreadable ones are a condition. */
const UNREADABLE_SHARE = 0.05

/** Reasons of unreadable answers that have a condition of their own. */
const BY_REASON: ReadonlyMap<string, ConditionCode> = new Map([
  ["reasoning_only", "judge_budget_exhausted"],
  ["refusal", "judge_refused"],
  ["content_filter", "judge_refused"],
])

/** Returns the condition of an answer without a score. */
export function conditionOfUnreadable(reason: string): ConditionCode {
  return BY_REASON.get(reason) ?? "judge_output_unreadable"
}

/** Counts answers of judges that can't be read, for each metric. */
export interface UnreadableTally {
  addRow(row: EvaluationRow): void
  conditions(): readonly Found[]
}

interface MetricTally {
  answers: number
  unreadable: number
  readonly byCode: Map<ConditionCode, ConditionTally>
  readonly byReason: Map<string, number>
}

export function createUnreadableTally({ now, positionOf }: TallyContext): UnreadableTally {
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
    // Called for every row, so a readable answer costs two lookups only.
    addRow({ task, row_index, repeat, scores, unreadable }) {
      for (const metric in scores) {
        const tally = tallyOf(task, metric)
        tally.answers += 1
        // A metric may be called `constructor`, which every object has.
        const found = unreadable && Object.hasOwn(unreadable, metric) ? unreadable[metric] : undefined
        if (found !== undefined) addUnreadable(tally, positionOf({ task, row_index, repeat }), found, now())
      }
    },
    conditions: () =>
      [...tasks].flatMap(([task, metrics]) =>
        [...metrics]
          .filter(([, { answers, unreadable }]) => unreadable > 0 && unreadable / answers >= UNREADABLE_SHARE)
          .flatMap(([metric, tally]) => conditionsOf(`'${metric}' of task '${task}'`, tally)),
      ),
  }
}

function addUnreadable(
  tally: MetricTally,
  position: RowPosition,
  { reason, raw }: NonNullable<EvaluationRow["unreadable"]>[string],
  at: number,
): void {
  const code = conditionOfUnreadable(reason)
  const found = tally.byCode.get(code) ?? createConditionTally(code)
  tally.byCode.set(code, found)
  tally.unreadable += 1
  tally.byReason.set(reason, (tally.byReason.get(reason) ?? 0) + 1)
  const line = raw.trim() === "" ? `an empty answer (${reason})` : raw
  found.add(
    { code, message: line },
    { at, position, location: `row ${position.row} (${reason})`, lines: [line], isRow: true },
  )
}

function conditionsOf(name: string, { answers, byCode, byReason }: MetricTally): readonly Found[] {
  return [...byCode.values()].map((tally) => {
    // In the order of their names, which does not depend on the answer that came first.
    const reasons = [...byReason]
      .filter(([reason]) => conditionOfUnreadable(reason) === tally.code)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    const listed = reasons.map(([reason, count]) => `${reason} ${count}`).join(", ")
    const share = formatShare(tally.count() / answers)
    const message = `${tally.count()} of ${answers} answers of the judge for ${name} (${share}) have no score in them (${listed}); they are left out of its mean.`
    return { condition: tally.condition(() => message), ...tally.found() }
  })
}
