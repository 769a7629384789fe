import type { EvaluationRow } from "@assay/schemas"
import type { RowsReader } from "../rows/read-rows.ts"
import { type ResultsInput, type ResultsSink, writeText } from "../results-input.ts"
import { rankRows, type RowRanking } from "../rows/rank-rows.ts"
import { rowsInOrder } from "../rows/rows-in-order.ts"
import { readRowsAt, type RowReference } from "../rows/read-latest-rows.ts"
import { formatRequests } from "./format-logs.ts"

/** The rows that a report shows. */
export interface ShownRows {
  readonly failed: readonly EvaluationRow[]
  readonly lowest: readonly EvaluationRow[]
}

const MAX_FAILED = 15
const MAX_LOWEST = 35

/** Writes `rows.jsonl`, the journal in the order of its rows, and `requests.log`, and returns the rows that a report shows. */
export async function writeRows(
  { job, journal, result }: Pick<ResultsInput, "job" | "journal" | "result">,
  sink: ResultsSink,
  signal?: AbortSignal,
): Promise<ShownRows> {
  if (journal === undefined) {
    await writeText(sink, "results/requests.log", "")
    return { failed: [], lowest: [] }
  }
  const newRanking = () => rankRows(result ?? { tasks: {}, groups: {} }, job.config)
  let ranking = newRanking()
  const tasks = Object.keys(job.config.tasks ?? {})
  await sink.write("results/rows.jsonl", () => rowsInOrder(journal, { tasks, lines: "all", signal }))
  await sink.write("results/requests.log", () => requests(journal, (ranking = newRanking()), signal))
  const read = async (references: readonly RowReference[]) => {
    const rows = await readRowsAt((stop) => journal.read(stop), references, { attempts: ranking.attempts(), signal })
    return rows.filter((row) => row !== undefined)
  }
  return { failed: await read(ranking.failed(MAX_FAILED)), lowest: await read(ranking.lowest(MAX_LOWEST)) }
}

async function* requests(
  journal: Pick<RowsReader, "read" | "readFacts">,
  ranking: RowRanking,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const rows of journal.readFacts?.([], signal) ?? journal.read(signal)) {
    for (const row of rows) ranking.add(row)
    const text = formatRequests(rows)
    if (text !== "") yield Buffer.from(text)
  }
}
