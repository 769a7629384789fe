import { existsSync } from "node:fs"
import { join } from "node:path"
import { recountResults } from "@assay/evidence"
import { type JobGateState, printable } from "@assay/schemas"
import { readSideLabels } from "../evidence/read-side-labels.ts"
import { resultsFolder } from "../runs/results-folder.ts"
import type { ReleaseContext } from "./release-context.ts"

/** The result of comparing the numbers of results with their rows. */
export interface CheckedNumbers {
  /** Why the numbers can't be believed. Undefined: nothing is wrong with them. */
  readonly fault?: string
  /** The gates of the job itself, as its rows decide them. Undefined: there are no rows that could be counted. */
  readonly decided?: readonly JobGateState[] | undefined
  readonly warnings: readonly string[]
}

const MAX_NAMED = 3

/** Counts the rows of results again, so that edited numbers decide nothing. Results of another version of this product are only compared in their values. */
export async function checkNumbers(
  { ports, cwd, signal }: ReleaseContext,
  folder: string,
  name: string,
): Promise<CheckedNumbers> {
  // A benchmark leaves no rows.
  if (!existsSync(join(folder, "results", "rows.jsonl"))) return { warnings: [] }
  const { assay } = await resultsFolder.readEnvironment(folder, name)
  const isOurs = assay === ports.programs["assay"]
  const { schemas, random, sleep } = ports
  const { job, result, rows } = await resultsFolder.read(folder, name)
  const { differences, gates, reason } = await recountResults(
    {
      name,
      job,
      result,
      rows,
      environment: {},
      labels: await readSideLabels({ ...ports, cwd, signal }, { job, folder }),
    },
    { schemas, random, sleep, signal, now: ports.inference.now },
  )
  if (reason !== undefined) {
    const message = `the numbers of '${printable(name)}' could not be compared with its rows: ${reason}`
    return { warnings: [message] }
  }
  const wrong = isOurs ? differences : differences.filter(({ what }) => /\.(?:value|corrected\.mean)$/.test(what))
  if (wrong.length === 0) return { decided: gates, warnings: [] }
  const named = wrong.slice(0, MAX_NAMED).map(({ what, stored, recomputed }) => {
    const place = printable(what.replace(/^result\.(?:tasks|groups)\./, ""))
    return `${place} is ${JSON.stringify(stored)}, and ${/\.corrected(?:\.|$)/.test(what) ? "the labels give" : "the rows give"} ${JSON.stringify(recomputed)}`
  })
  const more = wrong.length > MAX_NAMED ? `; ${wrong.length - MAX_NAMED} more numbers differ` : ""
  const fault = `results.json of '${printable(name)}' is not what its rows give: ${named.join("; ")}${more}. Run it or download it again.`
  return { fault, warnings: [] }
}
