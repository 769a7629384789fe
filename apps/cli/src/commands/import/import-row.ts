import { resolve } from "node:path"
import { resultsFolder, testRows } from "@assay/local"
import { formatJsonLine } from "@assay/reports"
import { readRows } from "@assay/results"
import { printable, testRow } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
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
  const found = await testRows.find(readRows(rows), wanted)
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
  const isNew = await testRows.add(resolve(context.cwd, out), line)
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
