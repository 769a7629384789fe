import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { JOB } from "../testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"

const SCALER = new URL("../../../../deploy/kubernetes/overlays/keda/scaledobject.yaml", import.meta.url)
const QUERY = / query: >-\n([^]+)$/.exec(readFileSync(fileURLToPath(SCALER), "utf8"))?.[1] ?? ""

describe("the query that scales workers", () => {
  let test: TestRegistry
  beforeEach(async () => {
    test = await createTestRegistry("postgres")
  })
  afterEach(() => test.remove())

  it("counts waiting and running jobs, and the shards that a job can run at once", async () => {
    const { jobs } = test.registry
    const database = await test.openTables()
    const demand = async () => {
      const { rows } = await database.read((queries) => sql.raw<{ coalesce: unknown }>(QUERY).execute(queries))
      return Number(rows[0]?.coalesce)
    }
    expect(await demand()).toBe(0)
    const { id } = await jobs.create(JOB)
    await jobs.create(JOB)
    expect(await demand()).toBe(2)
    const run = await jobs.claim(id)
    const ranges = [0, 1, 2, 3].map((shard) => ({ task: "t", firstRow: shard, endRow: shard + 1 }))
    await run?.shards.cut(ranges, { parallelism: 8, maxWorkers: 3 })
    expect(await demand()).toBe(2)
    await run?.shards.open()
    expect(await demand()).toBe(4)
  })
})
