import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseJsonExactly } from "@assay/json"
import type { EvaluationRow } from "@assay/schemas"
import { fileJournalSource, sourceRows } from "../row-index/journal-source.ts"
import { createRowTables } from "../row-index/open-tables.ts"
import type { LineRange } from "../row-index/table/row-table.ts"
import { type JudgedJob, type LabelDesk, type LabelStore, openLabelDesk } from "./label-desk.ts"

/** A label desk for the rows of one file. */
export interface FileDesk extends AsyncDisposable {
  /** The id of the job. */
  readonly id: string
  readonly desk: LabelDesk
}

/** The job whose rows are in a file. */
interface FiledJob extends Pick<JudgedJob, "id" | "config"> {
  /** The path of `rows.jsonl`. */
  readonly path: string
}

/** Opens labels for the rows of a file of this machine, and reads all rows once. */
async function openFileDesk({ id, config, path }: FiledJob, store: LabelStore): Promise<FileDesk> {
  const source = fileJournalSource(path)
  const tables = createRowTables()
  const index = await mkdtemp(join(tmpdir(), "assay-labels-"))
  for await (const piece of source.pieces(tables.position(index))) tables.add(index, piece)

  async function rowsAt(ranges: readonly LineRange[]): Promise<readonly EvaluationRow[]> {
    return (await source.lines(ranges)).map((line) => parseJsonExactly(line) as EvaluationRow)
  }
  const desk = openLabelDesk(
    {
      id,
      config,
      read: () => sourceRows(source),
      issued: async (draw) => tables.issued(index, draw),
      async at(rows) {
        const ranges = tables.locate(index, rows)
        const found = (await rowsAt(ranges.flatMap((range) => range ?? []))).values()
        return ranges.map((range) => (range === undefined ? undefined : found.next().value))
      },
      async draw(draw) {
        const { rows: drawn, ...found } = tables.draw(index, draw)
        const rows = await rowsAt(drawn)
        return { ...found, rows: rows.map((row, at) => ({ row, probability: drawn[at]?.probability ?? 1 })) }
      },
      judged: async (score, labels) => tables.judged(index, score, labels),
      interval: async (score) => tables.summarize(index, score, { filters: [] })?.interval ?? null,
    },
    store,
  )
  return {
    id,
    desk,
    async [Symbol.asyncDispose]() {
      tables.close()
      await rm(index, { recursive: true, force: true })
    },
  }
}

/** Opens the labels of people for the rows of a job. */
export const labelDesk = Object.freeze({ ofJob: openLabelDesk, ofFile: openFileDesk })
