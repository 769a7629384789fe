import { createRowValues, readAgreed, type RowValues } from "@assay/metrics"
import { answerEnd, type EvaluationRow, type KeptJudgeAnswer } from "@assay/schemas"
import { digestNumber, outputDigest } from "../rows/output-digest.ts"
import type { RowsReader } from "../rows/read-rows.ts"
import type { JudgeScore } from "./judge-scores.ts"

/** A verdict of a judge about one output. */
export interface Verdict {
  /** The number of the digest of item and output. */
  readonly digest: number
  readonly value: number
  /** Characters of the output. NaN: there is none. */
  readonly length: number
  /** 1 if the answer that is shown first wins, 0 if the second does, 0.5 if neither. NaN: two answers are not compared. */
  readonly first: number
}

/** The verdicts of one score. */
export interface Verdicts {
  readonly verdicts: readonly Verdict[]
  /** How `first` is known. Null: two answers are not compared. */
  readonly basis: "both_orders" | "labels" | null
}

type NamedVerdicts = Pick<JudgeScore, "task" | "metric" | "score" | "type" | "found">

export interface ReadVerdictsOptions {
  /** Whether a row has a label, by the number of its digest. Such rows are always kept. Default: none has. */
  readonly isLabelled?: (digest: number) => boolean
  readonly signal?: AbortSignal | undefined
}

/** Of more rows than these, about as many are kept, at equal distances. */
const MAX_ROWS = 50_000

/**
 * Reads the verdicts of scores over the rows of a journal, in one pass. The last attempt of a row counts. Of more than 50,000 rows of a task, a part is
 * kept. Takes 32 bytes for each row of a score.
 */
export async function readVerdicts(
  journal: Pick<RowsReader, "read">,
  scores: readonly NamedVerdicts[],
  { isLabelled = () => false, signal }: ReadVerdictsOptions = {},
): Promise<readonly Verdicts[]> {
  const columns = scores.map((one) => ({
    ...one,
    value: createRowValues(),
    digest: createRowValues(),
    length: createRowValues(),
    first: createRowValues(),
  }))
  for await (const rows of journal.read(signal)) {
    for (const row of rows) {
      const own = columns.filter(({ task }) => task === row.task)
      if (own.length === 0) continue
      const digest = digestNumber(outputDigest(row))
      const { row_index: index, repeat, sample } = row
      for (const one of own) {
        const value = row.scores[one.metric]?.[one.score]
        one.value.set(index, repeat, typeof value === "number" ? value : Number.NaN)
        one.digest.set(index, repeat, digest)
        one.length.set(index, repeat, sample?.output_text?.length ?? Number.NaN)
        one.first.set(index, repeat, firstOf(row, one))
      }
    }
  }
  return columns.map((one) => ({ verdicts: [...listVerdicts(one, isLabelled)], basis: basisOf(one) }))
}

type Columns = Readonly<Record<"value" | "digest" | "length" | "first", RowValues>>

function* listVerdicts(
  { value, digest, length, first }: Columns,
  isLabelled: (digest: number) => boolean,
): Generator<Verdict> {
  const step = Math.ceil(value.rows / MAX_ROWS)
  for (let row = 0; row < value.rows; row++) {
    for (let repeat = 0; repeat < value.repeats; repeat++) {
      const found = value.get(row, repeat)
      if (!Number.isFinite(found) || (row % step > 0 && !isLabelled(digest.get(row, repeat)))) continue
      yield {
        digest: digest.get(row, repeat),
        value: found,
        length: length.get(row, repeat),
        first: first.get(row, repeat),
      }
    }
  }
}

function basisOf({ type, first, found }: Columns & NamedVerdicts): Verdicts["basis"] {
  if (type !== PAIRWISE && !comparesAnswers(found)) return null
  for (let row = 0; row < first.rows; row++)
    for (let repeat = 0; repeat < first.repeats; repeat++)
      if (!Number.isNaN(first.get(row, repeat))) return type === PAIRWISE ? "both_orders" : "labels"
  return null
}

/** The metric that asks about two answers in both orders. */
const PAIRWISE = "pairwise"
const WINS: ReadonlyMap<string, number> = new Map([
  ["a", 1],
  ["b", 0],
  ["tie", 0.5],
])

function winOf(word: string): number {
  return WINS.get(word.trim().toLowerCase()) ?? Number.NaN
}

/** Returns whether the labels of a rubric are those of two answers. Grades have more letters. */
function comparesAnswers({ stats }: JudgeScore["found"]): boolean {
  const labels = Object.keys(stats?.rubric_distribution ?? {}).map((label) => label.trim().toLowerCase())
  return labels.includes("a") && labels.includes("b") && labels.every((label) => WINS.has(label))
}

/** Returns how the answer that is shown first fares; NaN if the metric compares no two answers, or its judge's answers can't be read. */
function firstOf({ judge_answers: answers, labels }: EvaluationRow, { type, metric, score }: NamedVerdicts): number {
  if (type !== PAIRWISE) return winOf(labels?.[metric]?.[score] ?? "")
  const [one = Number.NaN, other = Number.NaN, ...more] = (answers?.[metric] ?? []).map(winnerOf)
  if (Number.isNaN(one + other) || more.length > 0) return Number.NaN
  return one === other ? one : 0.5
}

/** Reads the winner that an answer names, by the rules by which it was scored: not one in its reasoning, and none if it names several. */
function winnerOf({ text, finish_reason: reason }: KeptJudgeAnswer): number {
  const read = (value: unknown) => (typeof value === "string" ? WINS.get(value.trim().toLowerCase()) : undefined)
  return readAgreed({ text: text ?? "", isCut: answerEnd(reason) === "cut" }, ["winner"], read).value ?? Number.NaN
}
