import { basename, dirname, extname, join, resolve } from "node:path"
import { correctMean } from "@assay/metrics"
import { type EvaluationContent, printable } from "@assay/schemas"
import { formatEvaluation, formatRow } from "../output/format-evaluation.ts"
import type { ImportedFile } from "../output/imported-file.ts"
import { findRoles, type FoundColumn, ROLES } from "./find-roles.ts"
import { type FlatRow, numberOfValue, readColumns } from "./read-columns.ts"
import { columnsOf, metricName, type ResultRows, resultRows } from "./result-rows.ts"

export interface ExamineResultsOptions {
  /** The file as the user wrote its path. */
  readonly file: string
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** The evaluation file, relative to the working folder. */
  readonly out: string
  /** Quotes a word of a command line. */
  readonly quote: (word: string) => string
  readonly signal: AbortSignal
}

/** A question about results. */
export interface ResultQuestion {
  readonly question: string
  readonly canAnswer: boolean
  /** The command that answers it, the answer itself, or what is missing. */
  readonly text: string
}

/** The questions that a file of results can answer. */
export interface ExaminedResults {
  readonly rows: number
  readonly unreadable: number
  readonly isCut: boolean
  readonly columns: readonly FoundColumn[]
  readonly questions: readonly ResultQuestion[]
  /** An evaluation file over the results, and its rows; empty if no column can be scored. */
  readonly files: readonly ImportedFile[]
}

/** Rows from which an interval of any number is computed. */
const MIN_ROWS = 5
const MIN_LABELS = 10

/** Examines the results of any tool: what its columns mean, and which questions they answer. @throws `bad_document`, `not_found`, `not_a_row_file` */
export async function examineResults({
  file,
  cwd,
  out,
  quote,
  signal,
}: ExamineResultsOptions): Promise<ExaminedResults> {
  const { rows, columns, unreadable, isCut } = await readColumns(resolve(cwd, file), printable(file), signal)
  const found = findRoles({ columns, rows })
  const results = resultRows(rows, found)
  const written = /^[./~]/.test(out) ? out : `./${out}`
  const task = "results"
  return {
    rows: rows.length,
    unreadable,
    isCut,
    columns: found.toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role)),
    questions: questionsOf(rows, found, { results, out: quote(written), task }),
    files: filesOf(results, { out: resolve(cwd, out), task, name: basename(file) }),
  }
}

interface Asking {
  readonly results: ResultRows
  readonly out: string
  readonly task: string
}

function questionsOf(
  rows: readonly FlatRow[],
  found: readonly FoundColumn[],
  asking: Asking,
): readonly ResultQuestion[] {
  const { results, out, task } = asking
  const run = `assay eval run ${out}`
  const has = (role: FoundColumn["role"]) => columnsOf(found, role).length > 0
  const [metric] = Object.keys(results.values)
  const question = (name: string, command: string | undefined, missing: string): ResultQuestion => ({
    question: name,
    canAnswer: command !== undefined,
    text: command ?? `missing: ${missing}`,
  })
  const scored = metric !== undefined && rows.length >= MIN_ROWS
  const noScore = metric === undefined ? "a column with numbers or pass and fail, such as 'score'" : `${MIN_ROWS} rows`
  const difference = results.models.length > 0 ? Object.keys(results.values).at(-1) : undefined
  const [label] = columnsOf(found, "label")
  return [
    question("intervals of scores", scored ? run : undefined, noScore),
    question("a gate", scored ? `${run} --gate '${task}.${metric}.given>=0.8'` : undefined, noScore),
    question(
      "comparison of models",
      difference === undefined || !scored ? undefined : `${run} --gate '${task}.${difference}.given>=-0.02'`,
      comparisonNeeds(found),
    ),
    correction(rows, found),
    question(
      "length bias of the judge",
      results.hasLength && has("score")
        ? `${run} (slices of answer_length${label === undefined ? "" : ", also of score-minus-label"})`
        : undefined,
      results.models.length > 0
        ? "results of one model"
        : "a column 'score', and a column with outputs or their lengths that differ, in 30 rows",
    ),
    question(
      "position bias of the judge",
      has("position") && results.models.length === 0
        ? `${run} (first-wins is 0.5 without bias, if the order was random)`
        : undefined,
      "a column 'winner' with A, B and tie, for answers in random order",
    ),
  ]
}

function comparisonNeeds(found: readonly FoundColumn[]): string {
  const needs = [
    ...(columnsOf(found, "model").length === 0 ? ["a column 'model' with at least two models"] : []),
    ...(columnsOf(found, "pair").length === 0 ? ["a column 'id' that the rows of an item share"] : []),
    ...(columnsOf(found, "score").length === 0 ? ["a column 'score'"] : []),
  ]
  return needs.length === 0 ? "a row of each model for each id" : needs.join(", ")
}

/** Corrects the mean of the first score by the labels of some rows. */
function correction(rows: readonly FlatRow[], found: readonly FoundColumn[]): ResultQuestion {
  const question = "corrected mean of the judge"
  const [score] = columnsOf(found, "score")
  const [label] = columnsOf(found, "label")
  if (score === undefined || label === undefined) {
    const text =
      score === undefined
        ? "a column 'score' of the judge, and a column 'label' of people"
        : "a column 'label' of people"
    return { question, canAnswer: false, text: `missing: ${text}` }
  }
  const scored = rows.flatMap((row) => {
    const value = numberOfValue(row.get(score))
    return value === undefined ? [] : [{ score: value, label: numberOfValue(row.get(label)) }]
  })
  const labelled = scored.flatMap(({ score: own, label: people }) =>
    people === undefined ? [] : [{ score: own, label: people }],
  )
  if (labelled.length < MIN_LABELS)
    return {
      question,
      canAnswer: false,
      text: `missing: ${MIN_LABELS} rows with a label; there are ${labelled.length}`,
    }
  const mean = scored.reduce((sum, one) => sum + one.score, 0) / scored.length
  const { corrected, interval, people } = correctMean(labelled, { rows: scored.length, mean })
  const range = interval === null ? "no interval" : `${shown(interval.low)} to ${shown(interval.high)}`
  const text = `${shown(corrected)}, ${range} (judge alone ${shown(mean)}, ${labelled.length} labels alone ${shown(people)}), if the labelled rows were drawn at random`
  return { question, canAnswer: true, text }
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)))
}

interface FileNames {
  readonly out: string
  readonly task: string
  readonly name: string
}

function filesOf(
  { rows, values, isClustered, hasLength }: ResultRows,
  { out, task, name }: FileNames,
): readonly ImportedFile[] {
  const metrics = Object.entries(values).map(
    ([key, value]) => [metricName(key), { type: "given", params: { value } }] as const,
  )
  if (metrics.length === 0) return []
  const rowsName = `${basename(out, extname(out))}.rows.jsonl`
  const dataset = { files_url: `./${rowsName}` }
  const params = {
    ...(isClustered ? { cluster_by: "cluster" } : {}),
    ...(hasLength ? { slices: ["answer_length"] } : {}),
  }
  const content: EvaluationContent = {
    target: { type: "dataset", dataset },
    config: {
      type: "custom",
      ...(Object.keys(params).length === 0 ? {} : { params }),
      tasks: { [task]: { type: "data", dataset, metrics: Object.fromEntries(metrics) } },
    },
  }
  return [
    { path: join(dirname(out), rowsName), text: rows.map(formatRow) },
    { path: out, text: formatEvaluation(content, [`Made of ${printable(name)} by \`assay eval doctor\`.`]) },
  ]
}
