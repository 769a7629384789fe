import { basename, dirname, extname, join, resolve } from "node:path"
import { fieldsOf } from "@assay/json"
import type { EvaluationContent } from "@assay/evaluation-files"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { formatEvaluation, formatRow } from "../output/format-evaluation.ts"
import { createImportNotes, type ImportNote, type ImportNotes } from "../output/import-notes.ts"
import { checkNoFiles, writeImportedFiles } from "../output/imported-file.ts"
import { type InspectLog, openInspectLog } from "./read-log.ts"
import { type SampleRow, sampleRow, scoreName } from "./sample-row.ts"

export interface ImportInspectOptions {
  /** The log as the user wrote its path. */
  readonly file: string
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** The evaluation file, relative to the working folder. */
  readonly out: string
  /** Whether existing files are replaced. */
  readonly force: boolean
  readonly signal: AbortSignal
}

/** The result of an import of a log. */
export interface ImportedLog {
  /** Absolute paths. */
  readonly files: readonly string[]
  readonly rows: number
  readonly notes: readonly ImportNote[]
}

interface SeenSamples {
  rows: number
  /** How many samples have a number, by score. */
  readonly scores: Map<string, number>
  readonly epochs: Set<number>
}

/**
 * Writes the samples of a log of Inspect as rows, one after the other, and an evaluation file that reads their outputs and scores.
 * @throws `bad_document`, `not_found`, `output_exists`
 */
export async function importInspect({ file, cwd, out, force, signal }: ImportInspectOptions): Promise<ImportedLog> {
  const name = printable(file)
  const target = resolve(cwd, out)
  const rowsName = `${basename(out, extname(out))}.rows.jsonl`
  const rowsPath = join(dirname(target), rowsName)
  checkNoFiles([rowsPath, target], force)
  await using log = await openInspectLog(resolve(cwd, file), name)
  const notes = createImportNotes()
  const seen: SeenSamples = { rows: 0, scores: new Map(), epochs: new Set() }
  await writeImportedFiles([{ path: rowsPath, text: rowsOf(log, { name, seen, notes, signal }) }], force)
  for (const [score, count] of seen.scores) {
    if (count === 0) notes.add({ location: name, part: score, outcome: "left out", detail: "it has no number" })
    else
      notes.add({ location: name, part: score, outcome: "mapped", detail: `given, for ${count} of ${seen.rows} rows` })
  }
  notes.add({
    location: name,
    part: "messages, events",
    outcome: "left out",
    detail: "rows have input, target, output, scores and metadata",
  })
  const comments = [`Made of ${printable(basename(file))} by \`assay import inspect\`.`]
  const content = contentOf(log, seen, rowsName)
  await writeImportedFiles([{ path: target, text: formatEvaluation(content, comments) }], force)
  return { files: [rowsPath, target], rows: seen.rows, notes: notes.list() }
}

interface Reading {
  readonly name: string
  readonly seen: SeenSamples
  readonly notes: ImportNotes
  readonly signal: AbortSignal
}

async function* rowsOf(log: InspectLog, { name, seen, notes, signal }: Reading): AsyncGenerator<string> {
  for await (const { sample, location } of log.samples()) {
    signal.throwIfAborted()
    const row = sampleRow(sample, seen.rows)
    count(row, seen)
    if (row.error !== null)
      notes.add({ location, part: "error", outcome: "changed", detail: "the row has 'error' and no scores" })
    yield formatRow(row)
  }
  if (seen.rows > 0) return
  const message = `${name} contains no samples; it was written with --no-log-samples, or the run ended before the first.`
  throw new AssayError("bad_document", message)
}

function count({ epoch, scores }: SampleRow, seen: SeenSamples): void {
  seen.rows += 1
  seen.epochs.add(epoch)
  for (const [name, value] of Object.entries(scores))
    seen.scores.set(name, (seen.scores.get(name) ?? 0) + (value === null ? 0 : 1))
}

function contentOf({ header }: InspectLog, { scores, epochs }: SeenSamples, rowsName: string): EvaluationContent {
  const { task, model } = fieldsOf(header["eval"])
  const dataset = { files_url: `./${rowsName}` }
  const numbers = [...scores].filter(([, found]) => found > 0)
  const metrics = numbers.map(
    ([name]) => [name, { type: "given", params: { value: `{{ item.scores["${name}"] }}` } }] as const,
  )
  const all = metrics.length === 0 ? { latency: { type: "latency" } } : Object.fromEntries(metrics)
  return {
    description: `${String(task)}${typeof model === "string" ? ` of ${model}` : ""}`.slice(0, 500),
    target: { type: "cached_outputs", cached_outputs: dataset },
    config: {
      type: "custom",
      ...(epochs.size > 1 ? { params: { cluster_by: "id" } } : {}),
      tasks: { [scoreName(String(task))]: { type: "data", dataset, metrics: all } },
    },
  }
}
