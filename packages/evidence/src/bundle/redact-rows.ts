import { createHmac, hash, hkdfSync } from "node:crypto"
import { parseExactJson } from "@assay/json"
import type { EvaluationRow } from "@assay/schemas"
import { splitLines } from "../rows/split-lines.ts"
import type { DescribedTask } from "../statement/described-task.ts"

/** The secret of a redacted bundle, from which the salts of its rows are derived. */
export interface RedactionSecret {
  readonly bytes: Buffer
}

/** Characters of a value of a slice; a longer one is not the name of a slice. */
const MAX_SLICE = 200

/**
 * Derives the secret of a redacted bundle from the private key and the ids of its jobs (HKDF with SHA-256). The owner of key and rows can
 * derive it again, and so prove later which text a row had.
 */
export function redactionSecret(privateKey: Buffer, jobs: readonly string[]): RedactionSecret {
  const derived = hkdfSync("sha256", privateKey, jobs.join("\n"), "assay verdict bundle: redacted rows", 32)
  return { bytes: Buffer.from(derived) }
}

/**
 * Yields rows without texts: numbers, scores, labels of rubrics, codes and slices stay. `sealed` is the digest of a salt and of the whole line.
 * Items are equal if what they ask is equal, so that rows of two jobs can be paired.
 */
export async function* redactRows(
  pieces: AsyncIterable<Uint8Array>,
  tasks: readonly DescribedTask[],
  secret: RedactionSecret,
): AsyncGenerator<Buffer, void> {
  const byName = new Map(tasks.map((task) => [task.name, task]))
  let number = 0
  for await (const lines of splitLines(pieces)) {
    const redacted = lines.map((line) => {
      const row = parseExactJson(line.toString()).value as EvaluationRow
      return `${JSON.stringify(redactRow(row, { line, number: number++, task: byName.get(row.task), secret }))}\n`
    })
    yield Buffer.from(redacted.join(""))
  }
}

interface RowToRedact {
  readonly line: Buffer
  /** The number of the line, from 0. */
  readonly number: number
  readonly task: DescribedTask | undefined
  readonly secret: RedactionSecret
}

function redactRow(row: EvaluationRow, { line, number, task, secret }: RowToRedact): object {
  const { task: name, row_index, repeat, attempt, item, scores, labels, unreadable, error } = row
  const salt = keyed(secret, `salt ${number}`)
  const reasons = Object.entries(unreadable ?? {}).map(([key, { reason }]) => [key, { reason, raw: "" }] as const)
  return {
    task: name,
    row_index,
    repeat,
    attempt,
    item: { asked: keyed(secret, `asked ${askedText(item)}`).toString("hex"), ...keptFields(item, task, secret) },
    sample: null,
    scores,
    ...(unreadable === undefined ? {} : { unreadable: Object.fromEntries(reasons) }),
    ...(labels === undefined ? {} : { labels }),
    error: error && { code: error.code, message: "" },
    sealed: hash("sha256", Buffer.concat([salt, line])),
  }
}

/** Returns what an item asks: all of it but the answer that it may contain. Comparisons pair rows by the same rule. */
function askedText({ response: _response, output: _output, ...asked }: EvaluationRow["item"]): string {
  return JSON.stringify(asked)
}

function keptFields(
  item: EvaluationRow["item"],
  task: DescribedTask | undefined,
  secret: RedactionSecret,
): EvaluationRow["item"] {
  if (task === undefined) return {}
  const slices = task.slices.flatMap((column) => {
    const value = valueAt(item, column)
    if (value === undefined) return []
    const isLong = (typeof value === "string" ? value : JSON.stringify(value)).length > MAX_SLICE
    return [[column, isLong ? "x".repeat(MAX_SLICE + 1) : value] as const]
  })
  const kept = Object.fromEntries(slices)
  const { cluster_by: cluster } = task
  const group = cluster !== undefined && Object.hasOwn(item, cluster) ? item[cluster] : undefined
  if (cluster === undefined || Object.hasOwn(kept, cluster) || group === undefined || group === null) return kept
  return { ...kept, [cluster]: keyed(secret, `group ${JSON.stringify(group)}`).toString("hex") }
}

/** Reads a field with this name, or the field that this path leads to. */
function valueAt(item: EvaluationRow["item"], column: string): unknown {
  if (Object.hasOwn(item, column)) return item[column]
  return column.split(".").reduce<unknown>((value, name) => {
    const isHolder = typeof value === "object" && value !== null && Object.hasOwn(value, name)
    return isHolder ? (value as Readonly<Record<string, unknown>>)[name] : undefined
  }, item)
}

function keyed({ bytes }: RedactionSecret, text: string): Buffer {
  return createHmac("sha256", bytes).update(text).digest()
}
