import { FILESET_SORTS, type Fileset, type FilesetSort, type Filter } from "@assay/schemas"
import { compareCodePoints } from "@assay/storage"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Database } from "@assay/database"
import { insertFilesets, testFileset } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../../../testing/test-registry.ts"
import { createListCounters } from "../list-counts.ts"
import { createMarks } from "../list-memory.ts"
import { planPage, scopeOf } from "../page-plan.ts"
import { scanPage } from "./scan-page.ts"

/** More than are read in the hope of a whole page. */
const FILESETS = 12_000
/** So many of the oldest and first by name contain a text that no other contains. */
const FIRST = 700
const SIZE = 50

let test: TestRegistry
let database: Database
let scan: NonNullable<Database["scan"]>
const filesets = Array.from({ length: FILESETS }, (_, n) => fileset(n))
beforeAll(async () => {
  test = await createTestRegistry("sqlite")
  database = await test.openTables()
  if (database.scan === undefined) throw new Error("SQLite has scan threads.")
  scan = database.scan
  await test.registry.workspaces.create({ name: "other" })
  await database.write(async (queries) => {
    await insertFilesets(queries, filesets)
  })
})
afterAll(() => test.remove())

/** Reads a page in a scan, and the next page with what the first has found. */
async function list(
  part: string,
  given: { readonly sort: FilesetSort; readonly page: number; readonly scope: TestScope },
) {
  const { sort, page, scope } = given
  const visible = Array.isArray(scope) ? scope : ("all" as const)
  const query = { page, page_size: SIZE, sort, filter: like(part) } as const
  const planned = scopeOf(typeof scope === "string" ? scope : undefined, visible)
  const plan = planPage(database.dialect, planned, query)
  const size = await createListCounters(database).size(planned)
  const options = { scan, dialect: database.dialect, size }
  const found = await scanPage(options, plan, undefined)
  const marks = createMarks()
  for (const [position, mark] of found.marks) marks.set(position, mark)
  const memory = { changes: found.changes, total: found.total, marks }
  const next = planPage(database.dialect, planned, { ...query, page: page + 1 })
  return { ...found, next: await scanPage(options, next, memory) }
}

type TestScope = string | readonly string[] | undefined

it.each([
  ["in all names", "se"],
  ["in many names", "-07"],
  ["in only the first names", "fi"],
  ["in one name", "set-11999"],
  ["in no name", "zq"],
])("A scan finds the rows and the total of a text that is %s, on any page and with any order", async (_where, part) => {
  for (const scope of ["default", undefined, ["default", "other"]] as const) {
    const matches = filesets.filter(
      ({ name, workspace }) => name.toLowerCase().includes(part) && (scope !== "default" || workspace === "default"),
    )
    for (const sort of FILESET_SORTS) {
      const expected = matches.toSorted(byOrder(sort)).map(({ name }) => name)
      const rowsOf = (page: number) => expected.slice((page - 1) * SIZE, page * SIZE)
      const last = Math.ceil(expected.length / SIZE)
      for (const page of [1, 2, last, last + 1]) {
        const { rows, total, next } = await list(part, { sort, page: Math.max(1, page), scope })
        expect(rows.map(({ name }) => name)).toEqual(rowsOf(Math.max(1, page)))
        expect(total).toBe(expected.length)
        expect(next.rows.map(({ name }) => name)).toEqual(rowsOf(Math.max(1, page) + 1))
        expect([next.total, next.isStale]).toEqual([expected.length, false])
      }
    }
  }
})

function byOrder(sort: FilesetSort): (a: Fileset, b: Fileset) => number {
  const sign = sort.startsWith("-") ? -1 : 1
  const valueOf = (fileset: Fileset) => (sort.endsWith("name") ? fileset.name : fileset.created_at)
  return (a, b) => sign * compareCodePoints(valueOf(a), valueOf(b)) || compareCodePoints(a.id, b.id)
}

function like(part: string): Filter {
  const operands = [{ readings: [part], written: part }]
  return { kind: "comparison", field: { column: "name", path: [] }, operator: "$like", operands }
}

/** Neighbours have the same time, and their ids are in another order than their numbers. */
function fileset(n: number): Fileset {
  const number = String(n).padStart(5, "0")
  const time = new Date(Math.floor(n / 2) * 1000).toISOString()
  return testFileset({
    id: `fileset-${(n * 7919) % FILESETS}`,
    name: n < FIRST ? `a-First-${number}` : `Set-${number}`,
    workspace: n % 3 === 0 ? "other" : "default",
    created_at: time,
    updated_at: time,
  })
}
