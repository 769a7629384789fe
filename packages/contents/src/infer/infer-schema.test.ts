import { gzipSync } from "node:zlib"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DIALECT_ADDRESSES } from "../schemas/compile/dialect.ts"
import { createRowChecker } from "../schemas/row-checker.ts"
import { makeRowFolder } from "../testing/row-folder.ts"
import { testSchemas } from "../testing/test-schemas.ts"
import { validateRows } from "../validate/validate-rows.ts"
import { inferSchema } from "./infer-schema.ts"
import { schemaOfShape, createShape, observe } from "./shape.ts"

const schemas = testSchemas()
const $schema = DIALECT_ADDRESSES["2020-12"]

function inferred(rows: readonly unknown[]) {
  const shape = createShape()
  for (const row of rows) observe(shape, row)
  return schemaOfShape(shape)
}

describe("a schema inferred from rows", () => {
  it("accepts every row that it was inferred from", verifies("contents.infer.satisfied"), () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), (rows) => {
        const schema = inferred(rows)
        const { isValid, listFaults } = createRowChecker("row", schema, {})
        // Unlike JSON, the values may hold -0 and keys such as `__proto__`.
        expect(rows.filter((row) => !isValid(row) || listFaults(row).length > 0)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it(
    "has the types that occurred, and requires the fields that every row has",
    verifies("contents.infer.required"),
    () => {
      expect(
        inferred([
          { id: 1, score: 1, tags: ["a"], source: { url: "x" }, note: null },
          { id: 2, score: 0.5, tags: [], source: { url: "y", line: 1 } },
        ]),
      ).toEqual({
        type: "object",
        properties: {
          id: { type: "integer" },
          score: { type: "number" },
          tags: { type: "array", items: { type: "string" } },
          source: {
            type: "object",
            properties: { url: { type: "string" }, line: { type: "integer" } },
            required: ["url"],
          },
          note: { type: "null" },
        },
        required: ["id", "score", "tags", "source"],
      })
      expect(inferred([{ a: 1 }, { a: null }, { a: [] }])).toEqual({
        type: "object",
        properties: { a: { type: ["null", "integer", "array"] } },
        required: ["a"],
      })
      expect(inferred([])).toEqual({})
    },
  )

  it("lists strings if few values occur repeatedly", () => {
    const rows = (count: number, words: number) => Array.from({ length: count }, (_, at) => `word ${at % words}`)
    expect(inferred(rows(20, 4))).toEqual({ type: "string", enum: ["word 0", "word 1", "word 2", "word 3"] })
    for (const others of [rows(19, 1), rows(24, 5), rows(200, 11), [...rows(50, 2), null]]) {
      expect(inferred(others)).not.toHaveProperty("enum")
    }
    expect(inferred(Array.from({ length: 30 }, () => "x".repeat(51)))).toEqual({ type: "string" })
  })

  it("does not constrain values that are nested deeply or objects with very many keys", () => {
    const deep = JSON.parse("[".repeat(5000) + "]".repeat(5000)) as unknown
    expect(JSON.stringify(inferred([deep])).length).toBeLessThan(1000)
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key ${at}`, at]))
    expect(Object.keys(inferred([wide])["properties"] as object)).toHaveLength(1000)
  })
})

describe("a schema inferred from files", () => {
  it("uses their first rows, without unreadable ones", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": '{"a":1}\n{\n{"a":2}\n{"a":"x"}\n', "b.jsonl": '{"b":1}' })
    expect(await inferSchema(storage, undefined, { rows: 2 })).toEqual({
      $schema,
      $comment: expect.stringMatching(/^a\.jsonl: 1 of the first rows can't be read; the first is on line 2, /),
      type: "object",
      properties: { a: { type: "integer" } },
      required: ["a"],
    })
    expect(await inferSchema(storage, "b.jsonl")).toMatchObject({ properties: { b: {} } })
    await expect(inferSchema(storage, "c.jsonl")).rejects.toMatchObject({ code: "not_found" })
  })

  it("uses large rows without holding all of them in memory", async () => {
    const text = "x".repeat(400_000)
    const packed = (rows: string) => {
      const part = gzipSync(rows.repeat(30), { level: 1 })
      return Buffer.concat(Array.from({ length: 10 }, () => part))
    }
    const { storage } = await makeRowFolder({
      "a.jsonl.gz": packed(`{"a":"${text}"}\n`),
      "b.csv.gz": packed(`${text}\n`),
    })
    for (const path of ["a.jsonl.gz", "b.csv.gz"]) {
      let most = 0
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().heapUsed)), 20)
      const before = process.memoryUsage().heapUsed
      await inferSchema(storage, path, { rows: 100_000 })
      clearInterval(watch)
      // All rows together have 120 MB.
      expect(most - before).toBeLessThan(90_000_000)
    }
  })

  it("gives CSV columns the types that fit their texts", async () => {
    const { storage } = await makeRowFolder({
      "a.csv": "id,score,ok,zip,empty,gap\n1,1,true,01,,1\n2,0.5,False,20,,\n",
    })
    expect(await inferSchema(storage)).toEqual({
      $schema,
      type: "object",
      properties: {
        id: { type: "integer" },
        score: { type: "number" },
        ok: { type: "boolean" },
        zip: { type: "string" },
        empty: { type: "string" },
        gap: { type: "integer" },
      },
      required: ["id", "score", "ok", "zip", "empty"],
    })
  })

  it("accepts all rows that it was inferred from, of all files", async () => {
    const text = fc.constantFrom(
      "1",
      "-2.5",
      "",
      "true",
      "FALSE",
      "x",
      "007",
      "1e400",
      "12345678901234567890",
      "[1]",
      "null",
    )
    const csv = fc
      .array(fc.tuple(text, text), { minLength: 1 })
      .map((rows) => `a,b\n${rows.map((row) => row.join(",")).join("\n")}`)
    const lines = fc
      .array(fc.record({ a: fc.jsonValue({ maxDepth: 1 }), b: fc.integer() }, { requiredKeys: [] }))
      .map((rows) => rows.map((row) => JSON.stringify(row)).join("\n"))
    await fc.assert(
      fc.asyncProperty(csv, csv, lines, async (one, other, json) => {
        const { storage } = await makeRowFolder({ "a.csv": one, "b.csv": other, "c.jsonl": json })
        const schema = await inferSchema(storage)
        const { files, rows, valid } = await validateRows({ storage, schemas, metadata: { schema } })
        expect([valid, files.flatMap(({ issues }) => issues)]).toEqual([rows, []])
      }),
      { numRuns: 30 },
    )
  })

  it("lets other work run while it reads a wide CSV file", verifies("contents.infer.turns"), async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `c${index}`).join(",")
    const { storage } = await makeRowFolder({ "a.csv": `${names}\n${`${"1,".repeat(4999)}1\n`.repeat(50)}` })
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await inferSchema(storage)
    isDone = true
    // Without the pauses there would be one turn for each of a few blocks.
    expect(turns).toBeGreaterThan(30)
  })
})
