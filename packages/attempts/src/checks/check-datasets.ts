import { checkRowValues, createSchemaChooser } from "@assay/contents"
import { AssayError, nearestNames } from "@assay/schemas"
import { isObject } from "@assay/json"
import { formatCount } from "@assay/reports"
import {
  firstRows,
  datasetFailure,
  filesUrl,
  type OpenedDataset,
  pathsOfSplit,
  type TaskShape,
} from "@assay/evaluation"
import { type Blanks, createBlanks } from "./check-blanks.ts"
import { columnsRead, type Copies, createCopies } from "./check-copies.ts"
import { findSeen } from "./find-seen-dataset.ts"
import type { NamedDataset } from "./launch-facts.ts"
import type { LaunchPorts } from "./launch-ports.ts"
import {
  type CheckOutcome,
  type CheckRun,
  type FailedCheck,
  failedCheck,
  formatLimit,
  type LaunchReport,
} from "./check-run.ts"

type FirstRow = Awaited<ReturnType<typeof firstRows.read>>[number]

/** A dataset that could be opened, with its first rows. */
export interface SeenDataset extends NamedDataset {
  readonly opened: OpenedDataset
  readonly rows: readonly FirstRow[]
  /** The number of all rows; absent if the dataset is too large to be counted. */
  readonly total?: number | undefined
  /** The empty texts of the rows: of all if they were counted, else of the first ones. */
  readonly blanks: Blanks
  /** The rows that repeat another one, of the same rows as `blanks`. */
  readonly copies: Copies
}

export interface CheckedDatasets {
  readonly failed: readonly FailedCheck[]
  readonly seen: readonly SeenDataset[]
}

export interface DatasetCheck {
  /** Names without a workspace are names in it. */
  readonly workspace: string
  readonly environment: Pick<LaunchPorts, "openDataset" | "schemas">
  readonly run: CheckRun
  /** The tasks that read the datasets. */
  readonly tasks: readonly TaskShape[]
}

/** Maximum number of rows of each dataset that are read. */
export const FIRST_ROWS = 20
const MAX_SHOWN = 5

/** Checks that every dataset exists, and that its first 20 rows can be read and match the row schemas of their fileset. */
export async function checkDatasets(datasets: readonly NamedDataset[], check: DatasetCheck): Promise<CheckedDatasets> {
  const all = await Promise.all(datasets.map((named) => checkDataset(named, check)))
  return { failed: all.flatMap(({ failed }) => failed), seen: all.flatMap(({ seen }) => seen) }
}

async function checkDataset(
  named: NamedDataset,
  { workspace, environment, run, tasks }: DatasetCheck,
): Promise<CheckedDatasets> {
  const readDataset = async (signal: AbortSignal): Promise<SeenDataset> => {
    const reference = filesUrl.reference(named.dataset, workspace)
    const dataset = await environment.openDataset(reference, { signal })
    const { split, limit } = limitsOf(named.dataset)
    const opened = { ...dataset, paths: pathsOfSplit(dataset, split) }
    const rows = await firstRows
      .read(opened, Math.min(limit ?? FIRST_ROWS, FIRST_ROWS), signal)
      .catch((error: unknown) => {
        throw datasetFailure(typeof reference === "string" ? reference : reference.text, error)
      })
    const columns = columnsRead(tasks, named.dataset)
    const [all, first] = [createFindings(columns), createFindings(columns)]
    rows.forEach(first.add)
    const total = rows.length < FIRST_ROWS ? undefined : await firstRows.countFew(opened, all.add, signal)
    const { blanks, copies } = total === undefined ? first : all
    return { ...named, opened, rows, total, blanks, copies }
  }
  const endDataset = run.begin("dataset", named.locations)
  const outcome = await run.run("dataset", readDataset, () => tooSlow(named.dataset, run))
  const missing = endDataset(reportOf(outcome, named)).failed
  if ("failed" in outcome) return { failed: missing, seen: [] }
  const endRows = run.begin("rows", named.locations)
  const checked = await run.run(
    "rows",
    (signal) => checkRows(outcome.value, environment, signal),
    () => tooSlow(named.dataset, run),
  )
  return { failed: endRows(reportOf(checked, named)).failed, seen: [outcome.value] }
}

/** Collects findings about each row that is read: empty texts and copies. */
function createFindings(columns: ReadonlySet<string>) {
  const [blanks, copies] = [createBlanks(), createCopies(columns)]
  const add = ({ path, row }: FirstRow): void => {
    const location = locationOf(path, row)
    blanks.add(row.row, location)
    copies.add(row.row, location)
  }
  return { blanks, copies, add }
}

function reportOf(outcome: CheckOutcome<unknown>, named: NamedDataset): LaunchReport {
  return { failed: "failed" in outcome ? [withLocations(outcome.failed, named)] : [], warnings: [] }
}

/** Adds the locations that name the dataset. */
function withLocations(failed: FailedCheck, { locations }: NamedDataset): FailedCheck {
  return { ...failed, message: `${failed.message.replace(/\.$/, "")} (${locations.join(", ")}).` }
}

/** Returns the part of a dataset that the job will read. */
export function limitsOf(dataset: unknown): { readonly split?: string; readonly limit?: number } {
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

/** @throws `rows_invalid` with the first rows that can't be used; `schema_too_costly` */
async function checkRows(
  { opened, rows }: SeenDataset,
  { schemas }: DatasetCheck["environment"],
  signal: AbortSignal,
): Promise<void> {
  const { files_url } = opened.pin
  if (rows.length === 0)
    throw new AssayError("rows_invalid", `Dataset ${files_url} has no rows.`, {
      context: { remedy: "Add rows to the file, or name another file." },
    })
  const { metadata = {} } = opened
  const broken = new Map<FirstRow, string>()
  for (const [path, group] of Map.groupBy(rows.filter(hasObject), (one) => one.path)) {
    const texts = group.map(({ row }) => JSON.stringify(row.row))
    const found = await checkRowValues(texts, { metadata, schemas, path, signal })
    for (const [index, row] of group.entries()) {
      const [first] = found[index] ?? []
      if (first !== undefined) broken.set(row, `breaks its schema: ${first.pointer} ${first.message}`.trimEnd())
    }
  }
  const faults = rows.flatMap((one) => {
    const fault = one.row.fault ?? (hasObject(one) ? broken.get(one) : "is not an object")
    return fault === undefined ? [] : [`${locationOf(one.path, one.row)} ${fault}`]
  })
  if (faults.length > 0) throw invalidRows(files_url, faults, rows.length)
}

function hasObject({ row: { row } }: FirstRow): boolean {
  return isObject(row)
}

function locationOf(path: string, { line, row_index }: FirstRow["row"]): string {
  return `${path} ${line === null ? `row ${row_index}` : `line ${line}`}`
}

function invalidRows(filesUrl: string, faults: readonly string[], count: number): AssayError {
  const more = faults.length > MAX_SHOWN ? `; and ${faults.length - MAX_SHOWN} more` : ""
  const message = `${faults.length} of the first ${formatCount(count, "row")} of ${filesUrl} can't be used: ${faults.slice(0, MAX_SHOWN).join("; ")}${more}.`
  return new AssayError("rows_invalid", message, { context: { file_ref: filesUrl } })
}

type Item = Readonly<Record<string, unknown>>

/** The known fields of the rows of a task. */
interface KnownRows {
  readonly source: string
  readonly names: ReadonlySet<string>
}

const MAX_FIELDS_SHOWN = 8

/** Checks that each field that a task reads is in the row schema of its dataset, or in one of the first rows. */
export function checkFields(tasks: readonly TaskShape[], seen: readonly SeenDataset[]): readonly FailedCheck[] {
  const found = new Map<string, FailedCheck>()
  for (const task of tasks) {
    const known = knownRows(task, seen)
    if (known === undefined) continue
    for (const field of task.fields) {
      if (field.anyOf.some((name) => known.names.has(name))) continue
      const failed = failedCheck("fields", missingField(field, known))
      found.set(failed.message, failed)
    }
  }
  return [...found.values()]
}

/** Returns undefined if the rows could not be read: the check of datasets reports the reason. */
function knownRows({ rows }: TaskShape, seen: readonly SeenDataset[]): KnownRows | undefined {
  if (rows.kind === "rows") return { source: "the target", names: namesOf(rows.rows.slice(0, FIRST_ROWS)) }
  const found = findSeen(seen, rows.dataset)
  if (found === undefined) return undefined
  const items = found.rows.flatMap(({ row }) => (isObject(row.row) ? [row.row] : []))
  const names = new Set([...namesOf(items), ...schemaNames(found)])
  return names.size === 0 ? undefined : { source: found.opened.pin.files_url, names }
}

function namesOf(items: readonly Item[]): Set<string> {
  return new Set(items.flatMap((item) => Object.keys(item)))
}

function schemaNames({ opened: { metadata = {}, paths } }: SeenDataset): readonly string[] {
  const choose = createSchemaChooser(metadata)
  const properties = choose(paths[0] ?? "")?.schema["properties"]
  return isObject(properties) ? Object.keys(properties) : []
}

function missingField(
  { anyOf, by, isAsked = false }: TaskShape["fields"][number],
  { source, names }: KnownRows,
): AssayError {
  const near = [...new Set(anyOf.flatMap((name) => nearestNames(name, [...names])))]
  const quoted = (list: readonly string[]) => list.map((name) => `'${name}'`).join(", ")
  const there = near.length > 0 ? `near it: ${quoted(near)}` : `there: ${quoted([...names].slice(0, MAX_FIELDS_SHOWN))}`
  const wanted = anyOf.map((name) => `'${name}'`).join(" or ")
  const message = `${by.charAt(0).toUpperCase()}${by.slice(1)}${by.includes(", line ") ? "," : ""} reads ${wanted}, which the rows of ${source} don't have; ${there}.`
  const remedy = isAsked
    ? `Write a prompt that reads a column (\`prompt\` of an evaluation file, \`params.template\` of a task), such as "{{ ${[...names][0]} }}".`
    : near.length > 0
      ? `Read ${near.map((name) => `'${name}'`).join(" or ")} instead, or give the rows a field ${wanted}.`
      : `Read a field that the rows have, or give them a field ${wanted}.`
  return new AssayError("rows_invalid", message, { context: { field: anyOf[0], near_names: near, remedy } })
}
