import { createRowCheckers } from "@assay/contents"
import { AssayError } from "@assay/schemas"
import { datasetFailure } from "../datasets/dataset-failure.ts"
import { filesUrlText } from "../datasets/files-url-text.ts"
import { pathsOfSplit } from "../datasets/paths-of-split.ts"
import { readFirstRows, type FirstRow } from "../datasets/read-first-rows.ts"
import type { OpenedDataset } from "../evaluation-world.ts"
import { formatLimit, type CheckRun } from "./check-run.ts"
import { failedCheck, type FailedCheck } from "./failed-check.ts"
import type { NamedDataset } from "./find-datasets.ts"
import type { LaunchWorld } from "./launch-world.ts"

/** What was seen of a dataset that could be opened. */
export interface SeenDataset extends NamedDataset {
  readonly opened: OpenedDataset
  readonly rows: readonly FirstRow[]
}

export interface CheckedDatasets {
  readonly failed: readonly FailedCheck[]
  readonly seen: readonly SeenDataset[]
}

export interface DatasetCheck {
  readonly namespace: string
  readonly world: Pick<LaunchWorld, "openDataset">
  readonly run: CheckRun
}

const FIRST_ROWS = 20
const SHOWN = 5

/** That every dataset is there, and that its first rows can be read and satisfy the row schema of their fileset. */
export async function checkDatasets(datasets: readonly NamedDataset[], check: DatasetCheck): Promise<CheckedDatasets> {
  const all = await Promise.all(datasets.map((named) => checkDataset(named, check)))
  return { failed: all.flatMap(({ failed }) => failed), seen: all.flatMap(({ seen }) => seen) }
}

async function checkDataset(named: NamedDataset, { namespace, world, run }: DatasetCheck): Promise<CheckedDatasets> {
  const look = async (signal: AbortSignal): Promise<SeenDataset> => {
    const text = filesUrlText(named.dataset, namespace)
    const all = await world.openDataset(text, { signal })
    const { split, limit } = limitsOf(named.dataset)
    const opened = { ...all, paths: pathsOfSplit(all, split) }
    const rows = await readFirstRows(opened, Math.min(limit ?? FIRST_ROWS, FIRST_ROWS), signal).catch(
      (error: unknown) => {
        throw datasetFailure(text, error)
      },
    )
    return { ...named, opened, rows }
  }
  const outcome = await run.run("dataset", look, () => tooSlow(named.dataset, run))
  if ("failed" in outcome) return { failed: [told(outcome.failed, named)], seen: [] }
  const fault = rowsFault(outcome.value)
  return { failed: fault === undefined ? [] : [told(failedCheck("rows", fault), named)], seen: [outcome.value] }
}

/** With who reads it. */
function told(failed: FailedCheck, { places }: NamedDataset): FailedCheck {
  return { ...failed, message: `${failed.message.replace(/\.$/, "")} (${places.join(", ")}).` }
}

/** What the job will read of it. */
function limitsOf(dataset: unknown): { readonly split?: string; readonly limit?: number } {
  if (typeof dataset !== "object" || dataset === null) return {}
  const { split, limit } = dataset as Readonly<Record<string, unknown>>
  return { ...(typeof split === "string" ? { split } : {}), ...(typeof limit === "number" ? { limit } : {}) }
}

function tooSlow(dataset: unknown, { limitMs }: CheckRun): AssayError {
  const fileRef =
    typeof dataset === "string" ? dataset : String((dataset as { readonly files_url?: unknown } | null)?.files_url)
  const message = `Error occurred while checking the existence of file ${fileRef} on the datastore: its storage did not answer within ${formatLimit(limitMs)}.`
  return new AssayError("datastore_unreachable", message, { context: { file_ref: fileRef } })
}

function rowsFault({ opened, rows }: SeenDataset): unknown {
  const { files_url } = opened.pin
  if (rows.length === 0)
    return new AssayError("rows_invalid", `Dataset ${files_url} has no rows; add some, or name another file.`)
  try {
    const checkers = createRowCheckers(opened.metadata)
    const faults = rows.flatMap(({ path, row }) => {
      if (row.fault !== null) return [`${placeOf(path, row)} ${row.fault}`]
      if (typeof row.row !== "object" || row.row === null || Array.isArray(row.row))
        return [`${placeOf(path, row)} is no object`]
      const checker = checkers.forPath(path)
      if (checker === undefined || checker.isValid(row.row)) return []
      const [first] = checker.listFaults(row.row)
      return [`${placeOf(path, row)} breaks its schema: ${first?.pointer ?? ""} ${first?.message ?? ""}`.trimEnd()]
    })
    return faults.length === 0 ? undefined : invalidRows(files_url, faults, rows.length)
  } catch (error) {
    return error
  }
}

function placeOf(path: string, { line, row_index }: FirstRow["row"]): string {
  return `${path} ${line === null ? `row ${row_index}` : `line ${line}`}`
}

function invalidRows(filesUrl: string, faults: readonly string[], count: number): AssayError {
  const more = faults.length > SHOWN ? `; and ${faults.length - SHOWN} more` : ""
  const message = `${faults.length} of the first ${count} rows of ${filesUrl} can't be used: ${faults.slice(0, SHOWN).join("; ")}${more}.`
  return new AssayError("rows_invalid", message, { context: { file_ref: filesUrl } })
}
