import { basename, dirname, extname, join, resolve } from "node:path"
import type { EvaluationContent } from "@assay/evaluation-files"
import { printable } from "@assay/schemas"
import { formatEvaluation, formatRow } from "../output/format-evaluation.ts"
import type { ImportedFile } from "../output/imported-file.ts"
import { correctedMeans } from "./corrected-means.ts"
import { firstWins, lengthCorrelation } from "./judge-agreement.ts"
import { findRoles, type FoundColumn, ROLES } from "./find-roles.ts"
import { type FlatRow, readColumns } from "./read-columns.ts"
import type { ResultQuestion } from "./result-question.ts"
import { columnsOf, LENGTH_SLICE, metricName, type ResultRows, resultRows } from "./result-rows.ts"

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
  const [position] = columnsOf(found, "position")
  return [
    question(
      "intervals of scores",
      scored
        ? `${run}${isPooled(results) ? " (read the slices of model: a mean of all is about none)" : ""}`
        : undefined,
      noScore,
    ),
    question(
      "a gate",
      scored && !isPooled(results) ? `${run} --gate '${task}.${metric}.given>=0.8'` : undefined,
      isPooled(results) ? "results of one model, or a column 'id' that the rows of an item share" : noScore,
    ),
    question(
      "comparison of models",
      difference === undefined || !scored ? undefined : `${run} --gate '${task}.${difference}.given>=-0.02'`,
      comparisonNeeds(found),
    ),
    ...correctedMeans(rows, found),
    question(
      "length bias of the judge",
      results.slices.includes(LENGTH_SLICE) && has("score")
        ? `${lengthCorrelation(rows, found)}${run} (slices of answer_length${label === undefined ? "" : ", also of score-minus-label"})`
        : undefined,
      results.hasModels
        ? "results of one model"
        : "a column 'score', and a column with outputs or their lengths that differ, in 30 rows",
    ),
    question(
      "position bias of the judge",
      has("position") && results.models.length === 0
        ? `${position === undefined ? "" : firstWins(rows, position)}${run} (first-wins is 0.5 without bias, if the order was random)`
        : undefined,
      "a column 'winner' with A, B and tie, for answers in random order",
    ),
  ]
}

/** Returns whether a score is over rows of several models. Such a mean is about none of them. */
function isPooled({ hasModels, models }: ResultRows): boolean {
  return hasModels && models.length === 0
}

function comparisonNeeds(found: readonly FoundColumn[]): string {
  const needs = [
    ...(columnsOf(found, "model").length === 0 ? ["a column 'model' with at least two models"] : []),
    ...(columnsOf(found, "pair").length === 0 ? ["a column 'id' that the rows of an item share"] : []),
    ...(columnsOf(found, "score").length === 0 ? ["a column 'score'"] : []),
  ]
  return needs.length === 0 ? "a row of each model for each id" : needs.join(", ")
}

interface FileNames {
  readonly out: string
  readonly task: string
  readonly name: string
}

function filesOf(
  { rows, values, isClustered, slices }: ResultRows,
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
    ...(slices.length > 0 ? { slices: [...slices] } : {}),
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
