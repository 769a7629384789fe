import { createSchemaChooser } from "@assay/contents"
import { AssayError, isObject, nearestNames } from "@assay/schemas"
import type { TaskShape } from "@assay/evaluation"
import type { FieldRead } from "@assay/scoring"
import type { SeenDataset } from "./check-datasets.ts"
import { failedCheck, type FailedCheck } from "./launch-report.ts"

type Item = Readonly<Record<string, unknown>>

/** The known fields of the rows of a task. */
interface KnownRows {
  readonly source: string
  readonly names: ReadonlySet<string>
}

const FIRST_ROWS = 20
const MAX_SHOWN = 8

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
  const key = JSON.stringify(rows.dataset)
  const found = seen.find(({ dataset }) => JSON.stringify(dataset) === key)
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

function missingField({ anyOf, by }: FieldRead, { source, names }: KnownRows): AssayError {
  const near = [...new Set(anyOf.flatMap((name) => nearestNames(name, [...names])))]
  const quoted = (list: readonly string[]) => list.map((name) => `'${name}'`).join(", ")
  const there = near.length > 0 ? `near it: ${quoted(near)}` : `there: ${quoted([...names].slice(0, MAX_SHOWN))}`
  const wanted = anyOf.map((name) => `'${name}'`).join(" or ")
  const message = `${by.charAt(0).toUpperCase()}${by.slice(1)}, reads ${wanted}, which the rows of ${source} don't have; ${there}.`
  const remedy =
    near.length > 0
      ? `Read ${near.map((name) => `'${name}'`).join(" or ")} instead, or give the rows a field ${wanted}.`
      : `Read a field that the rows have, or give them a field ${wanted}.`
  return new AssayError("rows_invalid", message, { context: { field: anyOf[0], near_names: near, remedy } })
}
