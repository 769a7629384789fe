import { type ColumnFacts, MAX_DISTINCT, type ReadColumns } from "./read-columns.ts"

export const ROLES = ["score", "label", "judge", "model", "pair", "cluster", "output", "length", "position"] as const
export type Role = (typeof ROLES)[number]

/** A column that means something. */
export interface FoundColumn {
  readonly role: Role
  readonly name: string
  /** Why it is taken for that. */
  readonly why: string
}

const NAMES: Readonly<Record<Role, RegExp>> = {
  score:
    /(?:^|[._ -])(?:score|scores|correct|accuracy|acc|pass|passed|success|rating|grade|reward|exact_match|em|f1|match|result|is_correct|quality|helpful\w*)(?:$|[._ -])/i,
  label: /(?:^|[._ -])(?:label|labels|human|people|annotat\w*|expert|gold_score|truth_score)(?:$|[._ -])/i,
  judge: /(?:^|[._ -])(?:judge|judge_model|grader|rater|llm_judge)(?:$|[._ -])/i,
  model: /(?:^|[._ -])(?:model|model_name|model_id|system|variant|arm|engine|provider|candidate)(?:$|[._ -])/i,
  pair: /^(?:id|item|item_id|question_id|qid|sample_id|example_id|prompt_id|task_id|doc_id|question|prompt|input|instruction|key)$/i,
  cluster:
    /(?:^|[._ -])(?:document|document_id|doc|doc_id|passage|passage_id|topic|session|conversation|user|user_id|group|cluster|thread|subject|category)(?:$|[._ -])/i,
  output: /(?:^|[._ -])(?:output|response|answer|completion|prediction|generation|generated_text|reply)(?:$|[._ -])/i,
  length: /(?:^|[._ -])(?:length|len|tokens|completion_tokens|output_tokens|words|characters|chars)(?:$|[._ -])/i,
  position: /(?:^|[._ -])(?:winner|verdict|preference|preferred|choice)(?:$|[._ -])/i,
}

/** Values that say which of two answers is better. */
const FIRST: ReadonlySet<string> = new Set(["a", "first", "1", "model_a", "answer_a", "assistant a", "[[a]]"])
const SECOND: ReadonlySet<string> = new Set(["b", "second", "2", "model_b", "answer_b", "assistant b", "[[b]]"])
const TIE: ReadonlySet<string> = new Set(["tie", "both", "neither", "equal", "c", "draw", "tie (bothbad)", "[[c]]"])

/** Returns 1 for the first answer, 0 for the second, 0.5 for a tie; undefined for any other value. */
export function positionOf(value: unknown): number | undefined {
  const word = String(value).trim().toLowerCase()
  if (FIRST.has(word)) return 1
  if (SECOND.has(word)) return 0
  return TIE.has(word) ? 0.5 : undefined
}

/** Finds columns by their names and their values. A column has one meaning. */
export function findRoles({ columns, rows }: Pick<ReadColumns, "columns" | "rows">): readonly FoundColumn[] {
  const found: FoundColumn[] = []
  const isFree = ({ name }: ColumnFacts) => !found.some((one) => one.name === name)
  const add = (role: Role, fits: (column: ColumnFacts) => boolean, most = 1): void => {
    const matching = columns.filter((column) => isFree(column) && NAMES[role].test(column.name) && fits(column))
    for (const column of matching.slice(0, most))
      found.push({ role, name: column.name, why: whyOf(column, rows.length) })
  }
  const isNumber = ({ numbers, filled }: ColumnFacts) => numbers >= filled * 0.9
  const repeats = ({ distinct, filled }: ColumnFacts) => distinct.size < Math.min(filled, MAX_DISTINCT) * 0.9
  add(
    "position",
    ({ distinct }) => distinct.size >= 2 && [...distinct].every((value) => positionOf(value) !== undefined),
  )
  add("length", (column) => isNumber(column) && column.high > 1)
  add("label", (column) => isNumber(column) && column.low < column.high)
  add("score", (column) => isNumber(column), 10)
  add("judge", (column) => !isNumber(column) && column.distinct.size <= 20)
  add("model", (column) => !isNumber(column) && column.distinct.size <= 20)
  add("output", (column) => !isNumber(column) || column.length > 20)
  add("pair", (column) => column.distinct.size > 1)
  add("cluster", (column) => repeats(column) && column.distinct.size > 1)
  return found
}

function whyOf({ filled, numbers, low, high, distinct }: ColumnFacts, rows: number): string {
  const values =
    numbers >= filled * 0.9
      ? `numbers from ${low} to ${high}`
      : distinct.size === 1
        ? "1 value"
        : `${distinct.size} different values`
  return filled === rows ? values : `${values}, in ${filled} of ${rows} rows`
}
