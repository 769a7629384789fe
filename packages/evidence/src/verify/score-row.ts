import { storedRows } from "@assay/evaluation"
import type { EvaluationRow } from "@assay/schemas"
import type { BoundMetric } from "@assay/scoring"
import type { BundleSide } from "../statement/verdict-statement.ts"
import type { EvidencePorts } from "../sides/evidence-ports.ts"
import { asksService, type PlannedSide } from "../sides/plan-side.ts"
import type { Differences } from "../sides/differences.ts"

/** How many scores of rows were computed again, and from what. */
export interface ScoreCounts {
  /** From the outputs. */
  readonly pure: number
  /** From stored answers of judges. */
  readonly judged: number
  /** Taken as they are: nothing in the row gives them. */
  readonly taken: number
}

/** Computes the scores of rows again, and compares them with those that the rows have. */
export interface RowScorer {
  /** Returns a promise only if a metric does. */
  add(row: EvaluationRow): Promise<void> | undefined
  counts(): ScoreCounts
}

interface ScorerOptions {
  readonly differences: Differences
  readonly ports: EvidencePorts
}

type Found = Awaited<ReturnType<typeof storedRows.score>>

/** Creates the scorer of a side. Without a plan, all scores are taken. */
export function createRowScorer(
  { role, config }: BundleSide,
  plan: PlannedSide | undefined,
  { differences, ports: { signal } }: ScorerOptions,
): RowScorer {
  const counts = { pure: 0, judged: 0, taken: 0 }
  const isTaken = (task: string, key: string) =>
    plan?.unbound.has(`${task}.${key}`) === true || asksService(config, task, key)
  const metricsOf = new Map(
    plan?.tasks.map(({ name, metrics }) => [name, metrics.filter(({ key }) => !isTaken(name, key))]),
  )
  const compare = (row: EvaluationRow, metrics: readonly BoundMetric[], found: Found): void => {
    const known = new Set<string>()
    for (const { key, isRemote } of metrics) {
      known.add(key)
      const isJudged = row.judge_answers?.[key] !== undefined
      const count = Object.keys(row.scores[key] ?? {}).length
      // A judge of an earlier version left no answers.
      if (isRemote && !isJudged && count > 0 && found.scores[key] === undefined) counts.taken += count
      else {
        counts[isJudged ? "judged" : "pure"] += count
        if (!isSameAs(row, found, key))
          nameDifferences(`${locationOf(role, row)}: ${key}`, row, { key, found, differences })
      }
    }
    for (const [key, scores] of Object.entries(row.scores)) {
      if (known.has(key)) continue
      if (plan === undefined || isTaken(row.task, key)) counts.taken += Object.keys(scores).length
      else differences.add(`${locationOf(role, row)}: ${key}`, scores, "the job has no such metric")
    }
  }
  return {
    add(row) {
      const metrics = metricsOf.get(row.task) ?? []
      const { item, sample, turns, judge_answers: storedAnswers = {}, compared_with: storedCompared } = row
      if (sample === null || plan === undefined)
        return (compare(row, sample === null ? metrics : [], { scores: {} }), undefined)
      const input = storedRows.input(item, turns === undefined ? sample : { ...sample, turns }, row.row_index)
      const found = storedRows.score(metrics, input, { signal, onRetry: () => {}, storedAnswers, storedCompared })
      if (!(found instanceof Promise)) return (compare(row, metrics, found), undefined)
      return found.then((scores) => compare(row, metrics, scores))
    },
    counts: () => ({ ...counts }),
  }
}

function locationOf(role: string, { task, row_index, repeat }: EvaluationRow): string {
  return `${role}: ${task}, row ${row_index + 1}${repeat === 0 ? "" : `, repeat ${repeat + 1}`}`
}

interface ComparedPart {
  readonly key: string
  readonly found: Found
  readonly differences: Differences
}

/** Compares everything that a metric gave for a row. It is called for each row and metric, so it makes no texts if nothing differs. */
function isSameAs(row: EvaluationRow, found: Found, key: string): boolean {
  return (
    haveSameValues(row.scores[key], found.scores[key]) &&
    isSame(row.unreadable?.[key], found.unreadable?.[key]) &&
    isSame(row.labels?.[key], found.labels?.[key]) &&
    (row.turns === undefined || isSame(...turnScores(row, key, found)))
  )
}

/** Returns the scores of the turns of a conversation, as the row has them and as they were computed. */
function turnScores(
  { turns }: EvaluationRow,
  key: string,
  found: Found,
): readonly [stored: unknown, recomputed: unknown] {
  return [turns?.map(({ scores }) => scores[key] ?? {}), turns?.map((_turn, at) => found.turns?.[key]?.[at] ?? {})]
}

type Scores = EvaluationRow["scores"][string] | undefined

function haveSameValues(stored: Scores, recomputed: Scores): boolean {
  if (stored === undefined || recomputed === undefined) return stored === recomputed
  let left = Object.keys(recomputed).length
  for (const name in stored) {
    if (stored[name] !== recomputed[name]) return false
    left--
  }
  return left === 0
}

function nameDifferences(location: string, row: EvaluationRow, { key, found, differences }: ComparedPart): void {
  const stored = row.scores[key]
  const recomputed = found.scores[key]
  if (!isSame(stored, recomputed)) {
    for (const score of new Set([...Object.keys(stored ?? {}), ...Object.keys(recomputed ?? {})])) {
      const [before, after] = [stored?.[score], recomputed?.[score]]
      if (!isSame(before, after)) differences.add(`${location}.${score}`, before, after)
    }
    if ((stored === undefined) !== (recomputed === undefined) && Object.keys(stored ?? recomputed ?? {}).length === 0) {
      differences.add(location, stored, recomputed)
    }
  }
  const others = [
    ["unreadable", row.unreadable?.[key], found.unreadable?.[key]],
    ["labels", row.labels?.[key], found.labels?.[key]],
    ["turns", ...turnScores(row, key, found)],
  ] as const
  for (const [name, before, after] of others) {
    if (!isSame(before, after)) differences.add(`${location}, ${name}`, before, after)
  }
}

/** Compares as JSON, in which a journal stored the values. */
function isSame(stored: unknown, recomputed: unknown): boolean {
  return stored === recomputed || JSON.stringify(stored) === JSON.stringify(recomputed)
}
