import { parseFilesetFilter, type Fileset, type Filter } from "@assay/schemas"
import { exactNumber } from "@assay/json"
import { filesetArbitrary, filterArbitrary, matchesFilter } from "@assay/schemas/testing"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Database } from "../database.ts"
import { openDatabase } from "../open-database.ts"
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "../testing/databases.ts"
import { insertFilesets } from "../testing/test-filesets.ts"
import { compileFilter } from "./compile-filter.ts"

describe.each(DATABASE_KINDS)("a filter compiled for %s", (kind) => {
  let testDatabase: TestDatabase
  let database: Database

  beforeAll(async () => {
    testDatabase = await createTestDatabase(kind)
    database = await openDatabase(testDatabase.options, () => {})
    await database.write(async (queries) => {
      const workspace = { id: "", description: "", created_at: 0, updated_at: 0 }
      const workspaces = ["default", "other"].map((name) => ({ ...workspace, id: name, name }))
      await queries.insertInto("workspaces").values(workspaces).execute()
    })
  })
  afterAll(async () => {
    await database.close()
    await testDatabase.remove()
  })

  async function store(filesets: readonly Fileset[]): Promise<void> {
    await database.write(async (queries) => {
      await queries.deleteFrom("filesets").execute()
      await insertFilesets(queries, filesets)
    })
  }

  async function select(filter: Filter): Promise<string[]> {
    const rows = await database.read((queries) =>
      queries
        .selectFrom("filesets")
        .select("id")
        .where(compileFilter(filter, database.dialect))
        .orderBy("id")
        .execute(),
    )
    return rows.map((row) => row.id)
  }

  it(
    "selects exactly the filesets that match it, for every filter",
    verifies(
      "filter.two-valued",
      "filter.missing",
      "filter.null",
      "filter.ordering",
      "filter.typed-values",
      "filesets.list.in-database",
    ),
    async () => {
      const filesets = fc.uniqueArray(filesetArbitrary(), {
        minLength: 8,
        maxLength: 12,
        comparator: (a, b) => a.id === b.id || (a.workspace === b.workspace && a.name === b.name),
      })
      const filters = fc.array(filterArbitrary(), { minLength: 20, maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(filesets, filters, async (filesets, filters) => {
          await store(filesets)
          for (const filter of filters) {
            const expected = filesets.filter((fileset) => matchesFilter(fileset, filter)).map(({ id }) => id)
            expect(await select(filter), JSON.stringify(filter)).toEqual(expected.toSorted())
          }
        }),
        { numRuns: 60 },
      )
    },
  )

  /** Stores filesets with a custom field `v`, whose names are the texts of its numbers. */
  async function storeNumbers(numbers: readonly string[]): Promise<void> {
    const [sample] = fc.sample(filesetArbitrary(), { numRuns: 1, seed: 1 }) as [Fileset]
    // With upper case, so that a folded copy of the map is stored, too.
    const fields = (text: string) => ({ v: exactNumber(text), Word: "Upper" })
    await store(numbers.map((text, at) => ({ ...sample, id: text, name: `n${at}`, custom_fields: fields(text) })))
  }

  const STORED = [
    "9007199254740992",
    "9007199254740993",
    "1234567890123456788",
    "1234567890123456789",
    "1e3",
    "-0.0",
    "1.50",
    "0.10000000000000000001",
  ]
  it.each<[string, readonly string[]]>([
    ["filter[custom_fields.v]=9007199254740993", ["9007199254740993"]],
    ["filter[custom_fields.v]=9007199254740992.0", ["9007199254740992"]],
    ["filter[custom_fields.v]=1000", ["1e3"]],
    ["filter[custom_fields.v]=0", ["-0.0"]],
    ["filter[custom_fields.v]=1.5", ["1.50"]],
    ["filter[custom_fields.v][$in]=1234567890123456789,15e-1", ["1234567890123456789", "1.50"]],
    ["filter[custom_fields.v][$nin]=9007199254740993", STORED.filter((text) => text !== "9007199254740993")],
    ["filter[custom_fields.v][$gt]=1234567890123456788", ["1234567890123456789"]],
    ["filter[custom_fields.v][$lte]=0.1", ["-0.0"]],
    ["filter[custom_fields.v][$lt]=1e400", STORED],
    ["filter[custom_fields.v][$gt]=1e400", []],
    ["filter[custom_fields.v][$gte]=-1e-99999", STORED],
    ['filter={"custom_fields.v":9007199254740993}', ["9007199254740993"]],
  ])("compares all digits of numbers: %s", verifies("filter.typed-values"), async (query, expected) => {
    await storeNumbers(STORED)
    const filter = parseFilesetFilter([...new URLSearchParams(query)])
    if (filter === undefined) throw new Error("There is no filter.")
    expect(await select(filter)).toEqual(expected.toSorted())
    expect(await select({ kind: "not", filter })).toEqual(STORED.filter((text) => !expected.includes(text)).toSorted())
  })

  it("orders near numbers as exact fractions do", async () => {
    const near = fc
      .tuple(
        fc.constantFrom("9", "09", "1", "10", "99999999999999999", "5"),
        fc.stringMatching(/^[09]{0,14}[0-9]{1,6}$/u),
      )
      .map(([start, end]) => start + end)
    const text = fc
      .tuple(fc.boolean(), near, fc.nat(20), fc.integer({ min: -3, max: 3 }), fc.constantFrom("e", "E", "e+"))
      .map(([isNegative, digits, point, power, e]) => {
        const padded = digits.padStart(point + 1, "0")
        const whole = padded.slice(0, padded.length - point).replace(/^0+(?=\d)/u, "")
        const fraction = point === 0 ? "" : `.${padded.slice(padded.length - point)}`
        const exponent = power === 0 ? "" : `${power < 0 ? "e" : e}${power}`
        return `${isNegative ? "-" : ""}${whole}${fraction}${exponent}`
      })
    /** The number times 10 to the power of 60. */
    const exact = (number: string): bigint => {
      const [mantissa = "", power = "0"] = number.toLowerCase().split("e")
      const [whole = "", fraction = ""] = mantissa.split(".")
      return BigInt(whole + fraction) * 10n ** BigInt(60 - fraction.length + Number(power))
    }
    const holds = {
      $lt: (a: bigint, b: bigint) => a < b,
      $gte: (a: bigint, b: bigint) => a >= b,
      $eq: (a: bigint, b: bigint) => a === b,
    }
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(text, { minLength: 10, maxLength: 20 }),
        fc.array(text, { maxLength: 5 }),
        async (stored, bounds) => {
          await storeNumbers(stored)
          for (const bound of [...bounds, ...stored.slice(0, 5)]) {
            for (const [operator, isMatch] of Object.entries(holds)) {
              const filter = parseFilesetFilter([["filter", `{"custom_fields.v":{"${operator}":${bound}}}`]])
              if (filter === undefined) throw new Error("There is no filter.")
              const expected = stored.filter((number) => isMatch(exact(number), exact(bound)))
              expect(await select(filter), `${operator} ${bound}`).toEqual(expected.toSorted())
            }
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it("skips a record whose JSON is too deep for SQLite", verifies("filter.stored-deep"), async () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(1100)}1${"}".repeat(1100)}`)
    const [first, second] = fc.sample(filesetArbitrary(), { numRuns: 2, seed: 1 }) as [Fileset, Fileset]
    const flat = { ...first, id: "flat", name: "flat", custom_fields: { team: "Blue", n: 5, on: true } }
    const broken = { ...second, id: "deep", name: "deep", custom_fields: { team: "Red", deep } }
    await store([flat, broken])
    const matching = [
      '{"custom_fields.team":"Blue"}',
      '{"custom_fields.team":{"$in":["Blue","Green"]}}',
      '{"custom_fields.team":{"$like":"lu"}}',
      '{"custom_fields.n":{"$gte":5}}',
      '{"custom_fields.on":true}',
      '{"custom_fields.missing":null}',
      '{"custom_fields.team":{"$nin":["Red"]}}',
      '{"$not":{"custom_fields.team":"Red"}}',
    ]
    for (const text of matching) {
      const filter = parseFilesetFilter([["filter", text]])
      expect(filter).toBeDefined()
      if (filter !== undefined) expect(await select(filter), text).toContain("flat")
    }
  })
})
