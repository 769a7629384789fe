import type { DatasetMetadata } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import { testSchemas } from "../testing/test-schemas.ts"
import { checkDatasetMetadata } from "./check-dataset-metadata.ts"
import { checkRowValues } from "./check-row-values.ts"
import { createSchemaPool } from "./schema-pool.ts"

const path = "a.jsonl"
const ordinary: DatasetMetadata = { schema: { properties: { a: { type: "integer" } }, required: ["a"] } }
const referring: DatasetMetadata = { schema: { $ref: "#/$defs/a", $defs: { a: { type: "integer" } } } }
const texts = ['{"a":1}', '{"a":"x"}', "{}", "[", '{"a":2}']

/** Creates a pool whose threads are closed, so that all work must run on the calling thread. */
async function closedSchemas() {
  const pool = createSchemaPool()
  await pool.close()
  return pool.as("test")
}

describe("small jobs with simple schemas", () => {
  it("run on the calling thread", async () => {
    const schemas = await closedSchemas()
    await checkDatasetMetadata(ordinary, { schemas })
    expect(await checkRowValues(['{"a":1}', "{}"], { metadata: ordinary, schemas, path })).toEqual([
      null,
      [{ pointer: "", message: expect.stringContaining("'a'") }],
    ])
  })

  it("have the same answers as on threads", async () => {
    const onThreads = testSchemas({ checksHere: 0 })
    const here = await closedSchemas()
    const answers = [onThreads, here].map((schemas) => checkRowValues(texts, { metadata: ordinary, schemas, path }))
    expect(await answers[1]).toEqual(await answers[0])
    const faulty = { schema: { type: "nothing" } }
    const faults = [onThreads, here].map((schemas) =>
      checkDatasetMetadata(faulty, { schemas }).catch((error: unknown) => error),
    )
    expect(await faults[1]).toMatchObject({ code: "invalid_request" })
    expect(await faults[1]).toEqual(await faults[0])
  })

  it.each<[string, DatasetMetadata, readonly string[], number]>([
    ["schemas refer to others", referring, ["1"], 0],
    ["there are many values", ordinary, [`[${"1,".repeat(3_000_000)}1]`], 0],
    ["many more values will follow", ordinary, ["{}"], 1e9],
    ["schemas are long", { schema: { ...(ordinary.schema as object), description: "x".repeat(10_000) } }, ["1"], 0],
  ])("run on threads if %s", verifies("contents.schemas.bounded"), async (_when, metadata, texts, characters) => {
    const schemas = await closedSchemas()
    const job = { kind: "values", path, texts } as const
    await expect(schemas.run(rowSchemasOf(metadata), job, { characters })).rejects.toThrow("are closed")
  })

  it("let other work run in between", async () => {
    const schemas = await closedSchemas()
    const rows = rowSchemasOf(ordinary)
    for (let job = 0; job < 20; job++) {
      let hadTurn = false
      setImmediate(() => (hadTurn = true))
      await schemas.run(rows, { kind: "values", path, texts })
      expect(hadTurn).toBe(true)
    }
  })

  it("end when the caller's signal is aborted", async () => {
    const schemas = await closedSchemas()
    const check = checkRowValues(texts, {
      metadata: ordinary,
      schemas,
      path,
      signal: AbortSignal.abort(new Error("enough")),
    })
    await expect(check).rejects.toThrow("enough")
  })
})
