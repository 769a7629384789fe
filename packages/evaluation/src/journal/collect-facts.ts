import type { EvaluationRow } from "@assay/schemas"
import { conditionFunctions } from "@assay/results"
import { type CommonFacts, FACTS_VERSION, type RowFacts, type ScoresShape } from "./facts-form.ts"
import { keepFields } from "./keep-fields.ts"

/** Collects the facts of rows while they are added to a journal. */
export interface FactsCollector {
  add(row: EvaluationRow): void
  /** Characters of the facts as JSON, by an estimate. */
  readonly length: number
  /** Returns the facts so far. Undefined if they are too long. */
  facts(): RowFacts | undefined
  /** Returns the facts as JSON. Undefined if they are too long. */
  text(): string | undefined
}

/** Characters, by an estimate. More facts than this are not kept in memory. */
const MAX_LENGTH = 8 * 1024 * 1024
/** Characters of the numbers of a row. */
const ROW_LENGTH = 32
/** Characters of a score. */
const SCORE_LENGTH = 8

/** @param fields fields of items, or paths in them, that are kept */
export function collectFacts(task: string, fields: readonly string[], maxLength = MAX_LENGTH): FactsCollector {
  const facts = emptyFacts(task, fields)
  const shapes = new Map<string, number>()
  const commons = new Map<string, number>()
  let length = 0
  let isTooLong = false

  function indexOf<T>(value: T, key: string, indexes: Map<string, number>, values: T[]): number {
    const known = indexes.get(key)
    if (known !== undefined) return known
    length += key.length
    indexes.set(key, values.length)
    return values.push(value) - 1
  }
  const shapeOf = (scores: EvaluationRow["scores"]): number => {
    // Most rows have the scores of the row before.
    const last = facts.shapeOf.at(-1) ?? -1
    if (hasShape(scores, facts.shapes[last])) return last
    const shape = Object.entries(scores).map(([metric, found]) => [metric, Object.keys(found)] as const)
    return indexOf(shape, JSON.stringify(shape), shapes, facts.shapes)
  }
  const commonOf = ({ item, sample, labels, unreadable, error }: EvaluationRow): number => {
    const kept = fields.length === 0 ? "{}" : JSON.stringify(keepFields(item, fields))
    const fault = sample && conditionFunctions.keepFault(sample)
    const last = facts.commonOf.at(-1) ?? -1
    const isPlain = labels === undefined && unreadable === undefined && error === null
    if (isPlain && isPlainLike(kept, fault, facts.commons[last])) return last
    const common: CommonFacts = [kept, fault, labels ?? null, unreadable ?? null, error]
    return indexOf(common, JSON.stringify(common), commons, facts.commons)
  }
  return {
    add(row) {
      if (isTooLong) return
      const { scores, sample } = row
      facts.rows.push(row.row_index)
      facts.repeats.push(row.repeat)
      facts.attempts.push(row.attempt)
      facts.latencies.push(sample?.latency_ms ?? null)
      facts.prompts.push(sample?.usage?.prompt_tokens ?? null)
      facts.completions.push(sample?.usage?.completion_tokens ?? null)
      facts.totals?.push(sample?.usage?.total_tokens ?? null)
      facts.shapeOf.push(shapeOf(scores))
      facts.commonOf.push(commonOf(row))
      const before = facts.scores.length
      for (const metric in scores) {
        const found = scores[metric] ?? {}
        for (const score in found) facts.scores.push(found[score] ?? "NaN")
      }
      length += ROW_LENGTH + SCORE_LENGTH * (facts.scores.length - before)
      isTooLong = length > maxLength
    },
    get length() {
      return length
    },
    facts: () => (isTooLong ? undefined : facts),
    text: () => (isTooLong ? undefined : JSON.stringify(facts)),
  }
}

function emptyFacts(task: string, fields: readonly string[]): RowFacts {
  const columns = { rows: [], repeats: [], attempts: [], latencies: [], prompts: [], completions: [], totals: [] }
  return {
    version: FACTS_VERSION,
    task,
    fields,
    ...columns,
    shapeOf: [],
    shapes: [],
    scores: [],
    commonOf: [],
    commons: [],
  }
}

/** Returns whether scores have these names in this order. It is called for each row, so it makes no lists. */
function hasShape(scores: EvaluationRow["scores"], shape: ScoresShape = []): boolean {
  let metrics = 0
  for (const metric in scores) {
    const [known, names = []] = shape[metrics++] ?? []
    if (known !== metric) return false
    let count = 0
    for (const score in scores[metric]) if (names[count++] !== score) return false
    if (count !== names.length) return false
  }
  return metrics === shape.length && metrics > 0
}

/** Returns whether a row without labels that did not fail has the same in common as another one. It costs less than a text of both. */
function isPlainLike(item: CommonFacts[0], fault: CommonFacts[1], other: CommonFacts | undefined): boolean {
  if (other === undefined || other[2] !== null || other[3] !== null || other[4] !== null) return false
  const known = other[1]
  return item === other[0] && fault?.output_text === known?.output_text && fault?.finish_reason === known?.finish_reason
}
