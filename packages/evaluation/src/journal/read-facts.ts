import { AssayError, type EvaluationRow, type ScoreValue } from "@assay/schemas"
import { parseExactJson } from "@assay/json"
import { type CommonFacts, FACTS_VERSION, type RowFacts, type ScoresShape } from "./facts-form.ts"

/** Rows in one batch. */
const BATCH = 1000

/**
 * Opens the facts of rows as batches of rows without their texts, in the order of their lines. Items have no more than the fields that were kept.
 * Returns undefined if the facts lack one of `fields`, or have a form that this version does not know.
 * @throws `content_damaged` if their columns do not fit together
 */
export function openFacts(text: string, fields: readonly string[]): Iterable<readonly EvaluationRow[]> | undefined {
  const facts = parseFacts(text)
  if (facts.version !== FACTS_VERSION || !fields.every((field) => facts.fields.includes(field))) return undefined
  return rowsOfFacts(facts)
}

function parseFacts(text: string): RowFacts {
  try {
    return (JSON.parse(text) as RowFacts | null) ?? damaged()
  } catch (cause) {
    return damaged(cause)
  }
}

/** Yields the rows of facts in batches. */
export function* rowsOfFacts(facts: RowFacts): Generator<readonly EvaluationRow[], void> {
  const commons = facts.commons.map(openCommon)
  const templates = facts.shapes.map(templateOf)
  let nextScore = 0
  const scoresAt = (at: number): EvaluationRow["scores"] => {
    const shape = facts.shapeOf[at] ?? damaged()
    const template = templates[shape] ?? damaged()
    const scores = { ...template }
    for (const [metric, names] of facts.shapes[shape] ?? damaged()) {
      const found: Record<string, ScoreValue> = { ...template[metric] }
      for (const name of names) found[name] = facts.scores[nextScore++] ?? damaged()
      scores[metric] = found
    }
    return scores
  }
  const rowAt = (at: number): EvaluationRow => {
    const { item, sample, error, others } = commons[facts.commonOf[at] ?? -1] ?? damaged()
    return {
      task: facts.task,
      row_index: facts.rows[at] ?? damaged(),
      repeat: facts.repeats[at] ?? damaged(),
      attempt: facts.attempts[at] ?? damaged(),
      item,
      ...others,
      error,
      sample: sample && {
        output_text: sample.output_text,
        finish_reason: sample.finish_reason,
        response: null,
        usage: usageAt(facts, at),
        latency_ms: facts.latencies[at] ?? null,
      },
      scores: scoresAt(at),
    }
  }
  for (let first = 0; first < facts.rows.length; first += BATCH) {
    const count = Math.min(BATCH, facts.rows.length - first)
    yield Array.from({ length: count }, (_, at) => rowAt(first + at))
  }
}

/** Returns scores of this shape. Copies of them have all fields, also `__proto__`, so that setting one sets a field of their own. */
function templateOf(shape: ScoresShape): Record<string, Readonly<Record<string, ScoreValue>>> {
  return Object.fromEntries(
    shape.map(([metric, names]) => [metric, Object.fromEntries(names.map((name) => [name, 0]))]),
  )
}

interface Common extends Pick<EvaluationRow, "item" | "error"> {
  readonly sample: CommonFacts[1]
  readonly others: Pick<EvaluationRow, "labels" | "unreadable">
}

function openCommon([item, sample, labels, unreadable, error]: CommonFacts): Common {
  return {
    item: parseExactJson(item, "text").value as EvaluationRow["item"],
    sample,
    error,
    others: { ...(labels === null ? {} : { labels }), ...(unreadable === null ? {} : { unreadable }) },
  }
}

function usageAt(facts: RowFacts, at: number): NonNullable<EvaluationRow["sample"]>["usage"] {
  const prompt = facts.prompts[at] ?? null
  const completion = facts.completions[at] ?? null
  const sum = prompt === null || completion === null ? null : prompt + completion
  const total = facts.totals?.[at] ?? sum
  if (prompt === null && completion === null && total === null) return null
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total }
}

function damaged(cause?: unknown): never {
  const message = "The facts of a shard's rows on the default storage do not contain what was written."
  throw new AssayError("content_damaged", message, { cause })
}
