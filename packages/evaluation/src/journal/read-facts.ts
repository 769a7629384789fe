import { AssayError, type EvaluationRow, parseExactJson } from "@assay/schemas"
import { type CommonFacts, FACTS_VERSION, type RowFacts } from "./facts-form.ts"

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
  return rowsOf(facts)
}

function parseFacts(text: string): RowFacts {
  try {
    return (JSON.parse(text) as RowFacts | null) ?? damaged()
  } catch (cause) {
    return damaged(cause)
  }
}

function* rowsOf(facts: RowFacts): Generator<readonly EvaluationRow[], void> {
  const commons = facts.commons.map(openCommon)
  let nextScore = 0
  const scoresAt = (at: number): EvaluationRow["scores"] => {
    const shape = facts.shapes[facts.shapeOf[at] ?? -1] ?? damaged()
    const scoresOf = (names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, facts.scores[nextScore++] ?? damaged()]))
    return Object.fromEntries(shape.map(([metric, names]) => [metric, scoresOf(names)]))
  }
  const rowAt = (at: number): EvaluationRow => {
    const { sample, ...common } = commons[facts.commonOf[at] ?? -1] ?? damaged()
    return {
      task: facts.task,
      row_index: facts.rows[at] ?? damaged(),
      repeat: facts.repeats[at] ?? damaged(),
      attempt: facts.attempts[at] ?? damaged(),
      ...common,
      sample:
        sample === null
          ? null
          : { ...sample, response: null, usage: usageAt(facts, at), latency_ms: facts.latencies[at] ?? null },
      scores: scoresAt(at),
    }
  }
  for (let first = 0; first < facts.rows.length; first += BATCH) {
    const count = Math.min(BATCH, facts.rows.length - first)
    yield Array.from({ length: count }, (_, at) => rowAt(first + at))
  }
}

type Common = Pick<EvaluationRow, "item" | "labels" | "unreadable" | "error"> & { readonly sample: CommonFacts[1] }

function openCommon([item, sample, labels, unreadable, error]: CommonFacts): Common {
  return {
    item: parseExactJson(item, "text").value as EvaluationRow["item"],
    sample,
    ...(labels === null ? {} : { labels }),
    ...(unreadable === null ? {} : { unreadable }),
    error,
  }
}

function usageAt({ prompts, completions }: RowFacts, at: number): NonNullable<EvaluationRow["sample"]>["usage"] {
  const [prompt, completion] = [prompts[at] ?? null, completions[at] ?? null]
  if (prompt === null || completion === null) return null
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

function damaged(cause?: unknown): never {
  const message = "The facts of a shard's rows on the default storage do not contain what was written."
  throw new AssayError("content_damaged", message, { cause })
}
