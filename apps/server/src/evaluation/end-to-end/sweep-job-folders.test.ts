import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterEach, beforeEach, expect, it } from "vitest"
import { startTestServer } from "../../testing/start-test-server.ts"

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "assay-sweep-"))
})
afterEach(() => rm(home, { recursive: true }))

it("A server removes the folders of deleted jobs when it starts", async () => {
  const folder = join(home, "data", "evaluation", "jobs")
  {
    await using server = await startTestServer({}, home)
    const body = { target: { type: "rows", rows: [] }, config: { type: "custom", tasks: {} } }
    const job = await server.call("POST", "/v1/evaluation/jobs?skip_validation_checks=1", { json: body })
    await mkdir(join(folder, job.json.id), { recursive: true })
    await mkdir(join(folder, "eval-gone"))
  }
  await using server = await startTestServer({}, home)
  while ((await readdir(folder)).includes("eval-gone")) await setTimeout(5)
  const { json } = await server.call("GET", "/v1/evaluation/jobs")
  expect(await readdir(folder)).toEqual([json.data[0].id])
})
