import { FILESET_SORTS } from "@assay/schemas"
import { compareCodePoints } from "@assay/storage"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Database } from "@assay/database"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../../testing/test-registry.ts"
import { createReadCounted } from "./counted-page.ts"
import { createPageMarks } from "./page-marks.ts"
import { planPage, scopeOf } from "./page-plan.ts"
import { createReadPage } from "./read-page.ts"

const SIZES = { interval: 2, piece: 5 }

describe.each(DATABASE_KINDS)("marks of a listing on %s", (kind) => {
  let test: TestRegistry
  let servers: readonly Registry[]
  let database: Database
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    servers = [test.registry, await test.openAnother()]
    database = await test.openTables()
  })
  afterEach(() => test.remove())

  function planOf(page: number, sort: (typeof FILESET_SORTS)[number] = "-created_at", purpose?: string) {
    const filter = purpose && {
      kind: "comparison" as const,
      field: { column: "purpose" as const, path: [] },
      operator: "$eq" as const,
      operands: [{ readings: [purpose], written: purpose }],
    }
    const query = { page, page_size: 2, sort, ...(filter ? { filter } : {}) }
    return planPage(database.dialect, scopeOf("default", "all"), query)
  }

  const create = async (name: string, server = 0, purpose: "model" | "dataset" = "model") => {
    await servers[server]?.filesets.create("default", { name, purpose })
    await servers[server]?.filesets.create("system", { name, purpose })
  }

  it("are set once enough pages were many rows after a mark, and move when filesets are created", async () => {
    const marks = createPageMarks(database, SIZES)(planOf(1))
    for (let n = 0; n < 20; n += 1) await create(`set-${n}`, n % 2)
    for (let asked = 0; asked < 7; asked += 1) expect(await marks.before(18)).toBeUndefined()
    const found = await marks.before(18)
    expect(found).toMatchObject({ position: expect.any(Number) })
    const position = found?.position ?? 0
    expect(position).toBeGreaterThanOrEqual(14)
    for (let n = 0; n < 3; n += 1) await create(`next-${n}`, n % 2)
    await marks.refresh()
    expect(await marks.before(position + 3)).toMatchObject({ id: found?.id, position: position + 3 })
    // A removal is a change that moves no mark.
    await servers[1]?.filesets.remove("default", "set-1")
    await marks.refresh()
    expect(await marks.before(18)).toBeUndefined()
  })

  it("lead to the rows of every page, whatever two servers change meanwhile", async () => {
    const read = createReadCounted(database, createReadPage(database), { few: 0, sizes: SIZES })
    const present: { readonly name: string; readonly purpose: string }[] = []
    let created = 0
    for (let n = 0; n < 12; n += 1) {
      present.push({ name: `set-${n}`, purpose: "model" })
      await create(`set-${n}`)
    }
    const step = fc.record({
      server: fc.constantFrom(0, 1),
      change: fc.constantFrom("create", "create", "create", "remove", "rename"),
      purpose: fc.constantFrom("model", "dataset"),
      sort: fc.constantFrom(...FILESET_SORTS),
      facet: fc.constantFrom(undefined, "model"),
      page: fc.integer({ min: 1, max: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 12 }), async (steps) => {
        for (const { server, change, purpose, sort, facet, page } of steps) {
          const position = Math.floor(present.length / 2)
          const middle = present[position]
          if (change === "create") {
            const name = `new-${String.fromCodePoint(97 + (created % 26))}${(created += 1)}`
            present.push({ name, purpose })
            await create(name, server, purpose)
          } else if (change === "remove" && middle !== undefined && present.length > 8) {
            present.splice(position, 1)
            await servers[server]?.filesets.remove("default", middle.name)
          } else if (middle !== undefined) {
            const name = `other-${(created += 1)}`
            present[position] = { ...middle, name }
            await servers[server]?.filesets.update("default", middle.name, { name })
          }
          const expected = present.filter((one) => facet === undefined || one.purpose === facet).map(({ name }) => name)
          if (sort.endsWith("name")) expected.sort(compareCodePoints)
          if (sort.startsWith("-")) expected.reverse()
          for (let turn = 0; turn < 10; turn += 1) {
            const { rows, total } = await read(planOf(page, sort, facet))
            expect([total, ...rows.map(({ name }) => name)]).toEqual([
              expected.length,
              ...expected.slice((page - 1) * 2, page * 2),
            ])
          }
        }
      }),
      { numRuns: kind === "sqlite" ? 12 : 4, seed: 3 },
    )
  }, 60_000)
})
