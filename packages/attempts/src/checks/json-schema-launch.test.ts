import { createSchemaPool } from "@assay/contents"
import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { checkLaunch } from "./check-launch.ts"
import { createLaunchPorts } from "../testing/create-launch-ports.ts"
import {
  type FolderDatastore,
  openFolderDatastore,
  planOf,
  planOfRows,
  scorePlan,
  testEnvironment,
} from "@assay/evaluation/testing"

let datastore: FolderDatastore
beforeAll(async () => {
  datastore = await openFolderDatastore()
  await datastore.add("costly", { "rows.jsonl": '{"output":"1"}\n' }, { schema: doubling({}) })
})
afterAll(() => datastore[Symbol.asyncDispose]())

/** Returns a schema whose definitions refer twice to the next one, so a value is checked 2^40 times. */
function doubling(last: object): Record<string, unknown> {
  const $defs: Record<string, object> = { a40: last }
  for (let index = 0; index < 40; index++) {
    const next = { $ref: `#/$defs/a${index + 1}` }
    $defs[`a${index}`] = { allOf: [next, next] }
  }
  return { $ref: "#/$defs/a0", $defs }
}

function quickSchemas() {
  const pool = createSchemaPool({ compileMs: 500, checkMs: 300 })
  onTestFinished(pool.close)
  return pool.as("default")
}

const metric = (schema: unknown) => ({ metric: { type: "json-schema", params: { schema } } })
const scoring = (schema: unknown): EvaluationConfigBody => ({
  type: "custom",
  tasks: { qa: { type: "data", metrics: metric(schema) } },
})
const ROWS: EvaluationTargetBody = { type: "rows", rows: [{ output: "1" }] }

async function failuresOf(config: EvaluationConfigBody, target = ROWS) {
  const environment = createLaunchPorts(datastore, { schemas: quickSchemas() })
  const { signal } = new AbortController()
  const { failed } = await checkLaunch({ target, config, namespace: "default" }, environment, { signal })
  return failed.map(({ check, code, message }) => [`${check} ${code}`, message])
}

describe("the json-schema metric", () => {
  it("scores many answers at once, independently of each other", async () => {
    const rows = Array.from({ length: 200 }, (_, id) => ({ output: id % 3 === 0 ? "{" : JSON.stringify({ id }) }))
    const plan = await planOfRows(rows, metric({ properties: { id: { multipleOf: 2 } } }))
    const { signal } = new AbortController()
    const [score] = plan.tasks[0]?.metrics ?? []
    const scores = await Promise.all(
      rows.map(async (item) => {
        const sample = { output_text: item.output, response: null, usage: null, latency_ms: null, finish_reason: null }
        const { scores } = (await score?.score({ item, sample }, { signal, onRetry: () => {} })) ?? { scores: {} }
        return scores["json-schema"]
      }),
    )
    expect(scores).toEqual(rows.map((_, id) => (id % 3 !== 0 && id % 2 === 0 ? 1 : 0)))
    await plan.close()
  })

  it(
    "fails a row with schema_too_costly if checking it takes too long",
    verifies("contents.schemas.bounded"),
    async () => {
      const environment = testEnvironment(undefined, { schemas: quickSchemas() })
      const plan = await planOf(ROWS, scoring(doubling({})), environment)
      await expect(scorePlan(plan)).rejects.toMatchObject({ code: "schema_too_costly" })
    },
  )

  it("fails the launch if its schema is invalid or too costly", verifies("contents.schemas.bounded"), async () => {
    expect(await failuresOf(scoring({ type: "integer" }))).toEqual([])
    expect(await failuresOf(scoring({ type: "nothing" }))).toEqual([
      [
        "shape invalid_request",
        expect.stringContaining("tasks.qa.metrics.metric.params.schema: is not JSON Schema 2020-12"),
      ],
    ])
    const wide = { anyOf: Array.from({ length: 30_000 }, (_, index) => ({ minimum: index })) }
    expect(await failuresOf(scoring(wide))).toEqual([
      ["shape schema_too_costly", expect.stringContaining("to compile")],
    ])
  })

  it(
    "fails the launch if the row schema of a dataset is too costly",
    verifies("contents.schemas.bounded"),
    async () => {
      const config: EvaluationConfigBody = {
        type: "custom",
        tasks: { qa: { type: "data", dataset: { files_url: "assay://datasets/default/costly" }, metrics: metric({}) } },
      }
      expect(await failuresOf(config, { type: "cached_outputs" })).toContainEqual([
        "rows schema_too_costly",
        expect.stringContaining("to check"),
      ])
    },
  )
})
