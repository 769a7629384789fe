import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseJsonExactly } from "@assay/json"
import type { EvaluationRow } from "@assay/schemas"
import { readStoredJob } from "./results-folder.ts"
import {
  createRowTables,
  fileJournalSource,
  type LabelDesk,
  type LabelStore,
  type LineRange,
  openLabelDesk,
  sourceRows,
} from "@assay/results"

/** A label desk for results on this machine. */
export interface FolderLabels extends AsyncDisposable {
  readonly desk: LabelDesk
}

/** Opens labels for the results in a folder, and reads all rows once. @param name the folder as the user wrote it. @throws `bad_usage` without results */
export async function openFolderLabels(folder: string, name: string, store: LabelStore): Promise<FolderLabels> {
  const { id, config } = await readStoredJob(folder, name)
  const source = fileJournalSource(join(folder, "results", "rows.jsonl"))
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
    desk,
    async [Symbol.asyncDispose]() {
      tables.close()
      await rm(index, { recursive: true, force: true })
    },
  }
}
