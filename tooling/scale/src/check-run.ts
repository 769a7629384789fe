import type { History } from "./history.ts"

export interface RunToCheck {
  readonly rows: number
  readonly parallelism: number
  readonly history: History
  /** The lines of the results, and the statistics that were computed from them. */
  readonly output: {
    readonly lines: AsyncIterable<string> | Iterable<string>
    readonly stats: { readonly count: number; readonly mean: number }
    /** The last rows by the API for rows, and the number of all rows there. */
    readonly listed: { readonly last: readonly number[]; readonly total: number }
  }
}

/** The findings of the checker. */
export interface RunFacts {
  readonly asked: number
  /** Questions beyond the first one of each row. */
  readonly askedAgain: number
  readonly faults: readonly string[]
}

interface Line {
  readonly row_index: number
  readonly item: { readonly row: number }
  readonly sample: { readonly output_text: string } | null
}

/** Checks a run by its history and its results alone. It shares no code with the product. */
export async function checkRun({ rows, parallelism, history, output }: RunToCheck): Promise<RunFacts> {
  const faults: string[] = []
  const seen = new Map<number, string>()
  for await (const line of output.lines) {
    const { row_index: row, item, sample } = JSON.parse(line) as Line
    if (seen.has(row)) faults.push(`Row ${row} is in the results more than once.`)
    if (item.row !== row) faults.push(`Row ${row} has the item of row ${item.row}.`)
    seen.set(row, sample?.output_text ?? "")
  }
  for (let row = 0; row < rows; row++) {
    const text = seen.get(row)
    const expected = row % 3 === 0 ? "right" : "wrong"
    if (text === undefined) faults.push(`Row ${row} is not in the results.`)
    else if (text !== expected) faults.push(`Row ${row} has the answer '${text}' instead of '${expected}'.`)
  }
  if (seen.size > rows) faults.push(`The results have ${seen.size} rows instead of ${rows}.`)
  const mean = Math.ceil(rows / 3) / rows
  const { count, mean: found } = output.stats
  if (count !== rows || found !== mean) faults.push(`The score has the mean ${found} of ${count} rows, not ${mean}.`)
  const { last, total } = output.listed
  if (total !== rows || last.join() !== [rows - 3, rows - 2, rows - 1].join()) {
    faults.push(`The API lists ${total} rows that end with ${last.join(", ")}.`)
  }
  const asked = history.questions.length
  const known = new Set(history.questions.map(({ row }) => row))
  const askedAgain = asked - known.size
  if (askedAgain > history.inFlightAtKills) {
    faults.push(`${askedAgain} questions were asked again; at the kills, ${history.inFlightAtKills} were in flight.`)
  }
  if (history.peak > parallelism) faults.push(`${history.peak} requests were in flight; allowed are ${parallelism}.`)
  return { asked, askedAgain, faults: faults.slice(0, MAX_FAULTS) }
}

const MAX_FAULTS = 20
