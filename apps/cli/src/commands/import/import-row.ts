import { appendFile, readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { resultsFolder } from "@assay/local"
import { formatJsonLine } from "@assay/reports"
import { readRows } from "@assay/results"
import { type EvaluationRow, printable, testRow } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { localFailure } from "@assay/storage"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

export interface ImportRowOptions extends JsonOption {
  readonly out?: string
  readonly repeat?: number
}

/** Runs `assay import row <job> <row>`: writes a row of a job as a row that is asked again. */
export async function importRow(
  context: Context,
  job: string,
  address: string,
  options: ImportRowOptions,
): Promise<void> {
  const [, task, index] = /^(?:(.+)\/)?(\d{1,10})$/su.exec(address) ?? []
  if (index === undefined) {
    throw new AssayError(
      "bad_usage",
      `A row is a task and a number, such as qa/12, or a number, not '${printable(address)}'.`,
    )
  }
  const wanted = { task, row_index: Number(index), repeat: options.repeat ?? 0 }
  const { id, rows } = await openRows(context, job)
  const found = await findRow(readRows(rows), wanted)
  if (found === undefined) {
    const of = wanted.repeat === 0 ? "" : ` with repeat ${wanted.repeat}`
    throw new AssayError(
      "not_found",
      `${printable(job)} has no row '${printable(address)}'${of}; \`assay eval rows\` lists those of a job on a server.`,
    )
  }
  const line = formatJsonLine(testRow(found, id))
  const { out } = options
  if (out === undefined) return print(context, options, testRow(found, id), () => line)
  const isNew = await addLine(resolve(context.cwd, out), line)
  const row = `${found.task}/${found.row_index}`
  await print(context, options, { row, file: out, added: isNew }, () => {
    return isNew
      ? `added ${printable(row)} to ${printable(out)}\n`
      : `${printable(out)} has ${printable(row)} already\n`
  })
}

interface OpenedRows {
  readonly id: string
  readonly rows: AsyncIterable<Buffer>
}

async function openRows(context: Context, job: string): Promise<OpenedRows> {
  const { cwd, signal } = context
  if (isLocal(context, job)) {
    const { job: stored, rows } = await resultsFolder.read(resolve(cwd, job), job)
    return { id: stored.id, rows: rows(signal) }
  }
  const { files, evaluation } = openClient(context)
  const { id, namespace } = await evaluation.jobs.get(job, { signal })
  const { bytes } = await files.read(namespace, `evaluation-${id}`, "results/rows.jsonl", { signal })
  return { id, rows: buffers(bytes) }
}

async function* buffers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

interface WantedRow {
  /** Undefined: any task. */
  readonly task: string | undefined
  readonly row_index: number
  readonly repeat: number
}

/** Returns the last attempt of a row. @throws `bad_usage` if several tasks have one of this number */
async function findRow(
  rows: AsyncIterable<readonly EvaluationRow[]>,
  wanted: WantedRow,
): Promise<EvaluationRow | undefined> {
  let found: EvaluationRow | undefined
  for await (const batch of rows) {
    for (const row of batch) {
      const isWanted = row.row_index === wanted.row_index && row.repeat === wanted.repeat
      if (!isWanted || row.task !== (wanted.task ?? row.task)) continue
      if (found !== undefined && found.task !== row.task) {
        throw new AssayError(
          "bad_usage",
          `Several tasks have a row ${wanted.row_index}: write ${found.task}/${wanted.row_index}.`,
        )
      }
      found = row
    }
  }
  return found
}

/** Adds a line to a file unless the file has it. */
async function addLine(path: string, line: string): Promise<boolean> {
  try {
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return ""
      throw error
    })
    if (text.split("\n").includes(line.trimEnd())) return false
    await appendFile(path, text === "" || text.endsWith("\n") ? line : `\n${line}`)
    return true
  } catch (error) {
    throw localFailure(error, "write", path)
  }
}
