import process from "node:process"
import type { Worker } from "node:worker_threads"
import type { DatasetMetadata } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import { checkDatasetMetadata } from "./check-dataset-metadata.ts"
import { checkRowValues } from "./check-row-values.ts"
import type { SchemaPoolOptions, SchemaRunner } from "./schema-pool.ts"
import { createSchemaThreads } from "./schema-threads.ts"

function poolOf(options: SchemaPoolOptions = {}) {
  const pool = createSchemaThreads(options)
  onTestFinished(pool.close)
  return pool
}

/** Returns a schema whose definitions refer to the next one twice, so a value is checked 2^40 times. */
function doubling(keyword: "allOf" | "anyOf"): DatasetMetadata {
  const defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/$defs/a${index + 1}` }
      return [`a${index}`, { [keyword]: [next, next] }]
    }),
  )
  const last = keyword === "allOf" ? {} : { type: "string" }
  return { schema: { $ref: "#/$defs/a0", $defs: { ...defs, a40: last } } }
}

const check = (metadata: DatasetMetadata, schemas: SchemaRunner, texts = ["1"]) =>
  checkRowValues(texts, { metadata, schemas, path: "a.jsonl" })

const wide = { schema: { anyOf: Array.from({ length: 40_000 }, (_, index) => ({ minimum: index })) } }
const chain: DatasetMetadata = {
  schema_defs: Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `d${index}`,
      index === 199 ? { type: "string" } : { properties: { a: { $ref: `#/schema_defs/d${index + 1}` } } },
    ]),
  ),
}

describe("the threads of the schema pool", () => {
  it.each(["allOf", "anyOf"] as const)(
    "end a check that takes too long, while the calling thread continues (%s)",
    verifies("contents.schemas.bounded"),
    async (keyword) => {
      const schemas = poolOf({ checkMs: 300 }).as("a")
      let turns = 0
      const timer = setInterval(() => turns++, 5)
      onTestFinished(() => clearInterval(timer))
      await expect(check(doubling(keyword), schemas)).rejects.toMatchObject({
        code: "schema_too_costly",
        status: 400,
        message: expect.stringMatching(
          /more than 0\.3 s of processor time to check|more than 512 MiB of memory to check/,
        ),
      })
      expect(turns).toBeGreaterThan(10)
    },
  )

  it("remember a schema that was too costly", async () => {
    const pool = poolOf({ checkMs: 300 })
    await expect(check(doubling("allOf"), pool.as("a"))).rejects.toMatchObject({ code: "schema_too_costly" })
    let isDone = false
    const again = check(doubling("allOf"), pool.as("b")).catch((error: unknown) => {
      isDone = true
      return error
    })
    // No thread was used, because that would take a turn of the event loop.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    expect(isDone).toBe(true)
    expect(await again).toMatchObject({ code: "schema_too_costly" })
  })

  it("refuse a schema that takes too long to compile", async () => {
    const schemas = poolOf({ compileMs: 300 }).as("a")
    await expect(checkDatasetMetadata(wide, { schemas })).rejects.toMatchObject({
      code: "schema_too_costly",
      message: expect.stringContaining("to compile"),
    })
  })

  it("compile a chain of 200 definitions within the limit", async () => {
    await checkDatasetMetadata(chain, { schemas: poolOf().as("a") })
  })

  it("end a check that uses too much memory", async () => {
    const schemas = poolOf({ memoryMb: 48, checkMs: 30_000 }).as("a")
    // Long enough to exceed the memory, and few enough for a row.
    const text = `[${Array.from({ length: 150_000 }, (_, index) => `"text ${index} ${"long ".repeat(30)}"`).join(",")}]`
    await expect(check({ schema: { uniqueItems: true } }, schemas, [text])).rejects.toMatchObject({
      code: "schema_too_costly",
      message: expect.stringContaining("more than 48 MiB of memory"),
    })
  })

  it("leave one thread to other owners, however many one owner requests", async () => {
    const pool = poolOf({ threads: 2, checkMs: 5000 })
    const costly = pool.as("costly")
    const ended = new AbortController()
    const hogs = Array.from({ length: 3 }, (_, index) => {
      const { schema } = doubling("allOf")
      const schemas = rowSchemasOf({ schema: { ...(schema as object), title: String(index) } })
      return costly.run(schemas, { kind: "values", path: "a.jsonl", texts: ["1"] }, { signal: ended.signal })
    })
    const settled = Promise.allSettled(hogs)
    let isBusy = true
    void Promise.race(hogs).catch(() => (isBusy = false))
    expect(await check({ schema: { type: "string" } }, pool.as("other"), ['"x"', "1"])).toEqual([
      null,
      [{ pointer: "", message: "must be string; it is 1" }],
    ])
    expect(isBusy).toBe(true)
    ended.abort(new Error("enough"))
    await settled
  })

  it("continue with new threads after one was ended", async () => {
    const schemas = poolOf({ threads: 1, checkMs: 200 }).as("a")
    await expect(check(doubling("allOf"), schemas)).rejects.toMatchObject({ code: "schema_too_costly" })
    expect(await check({ schema: { type: "integer" } }, schemas)).toEqual([null])
  })

  it("end when they are idle and start again for the next check", async () => {
    const started: Worker[] = []
    const ended: Worker[] = []
    const onWorker = (worker: Worker) => {
      started.push(worker)
      worker.once("exit", () => ended.push(worker))
    }
    process.on("worker", onWorker)
    onTestFinished(() => void process.off("worker", onWorker))
    const pool = poolOf({ idleMs: 1 })
    expect(await check({ schema: {} }, pool.as("a"))).toEqual([null])
    await expect.poll(() => ended.length).toBe(1)
    expect(await check({ schema: {} }, pool.as("a"))).toEqual([null])
    expect(started).toHaveLength(2)
  })
})

describe("row schemas", () => {
  it.each<[string, DatasetMetadata, string]>([
    ["characters", { schema: { const: "x".repeat(2 ** 20) } }, "1048576 are allowed"],
    [
      "definitions",
      { schema_defs: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [String(index), {}])) },
      "have 1001 entries in schema_defs; 1000 are allowed",
    ],
    [
      "paths",
      { schemas_by_path: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [String(index), {}])) },
      "have 1001 entries in schemas_by_path; 1000 are allowed",
    ],
  ])("are limited to %s", (_name, metadata, message) => {
    expect(() => rowSchemasOf(metadata)).toThrow(
      expect.objectContaining({ code: "schema_too_costly", message: expect.stringContaining(message) }),
    )
  })

  it("have the same digest if the schemas are the same, even if other metadata differs", () => {
    const { digest } = rowSchemasOf({ schema: { type: "string" }, enforce: "reject" })
    expect(rowSchemasOf({ schema: { type: "string" } }).digest).toBe(digest)
    expect(rowSchemasOf({ schema: { type: "integer" } }).digest).not.toBe(digest)
  })
})
