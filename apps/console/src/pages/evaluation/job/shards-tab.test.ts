import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createClient, type Fetch } from "@assay/client"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { expectSound, hasBrowser, useConsole } from "../../../testing/console-test.ts"
import { startServerProcess } from "../../../testing/start-server-process.ts"

const MAIN = fileURLToPath(new URL("../../../../../cli/dist/bundle/main.js", import.meta.url))

describe.runIf(hasBrowser)("the shards of a job", () => {
  const console = useConsole()

  it("are shown with their locations, rows and logs", verifies("eval.shards.page"), async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-shards-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const profile = { executor: "local", place: join(folder, "runs"), program: [process.execPath, MAIN], shards: 2 }
    await writeFile(join(folder, "executors.yaml"), JSON.stringify({ profiles: { here: profile } }))
    await using server = await startServerProcess({ ASSAY_EXECUTORS: join(folder, "executors.yaml") })
    const { evaluation } = createClient({ url: server.url, fetch: fetch as Fetch })
    const check = ["{{ item.answer }}", "equals", "{{ item.expected }}"]
    const job = await evaluation.jobs.launch(
      {
        target: { type: "rows", rows: Array.from({ length: 6 }, () => ({ answer: "yes", expected: "yes" })) },
        config: {
          type: "custom",
          params: { executor: "here" },
          tasks: { qa: { type: "data", metrics: { accuracy: { type: "string-check", params: { check } } } } },
        },
      },
      { skipChecks: true },
    )
    for await (const { event, data } of evaluation.jobs.events(job.id)) {
      if (event === "status" && data["status"] === "FAILED") throw new Error(String(data["message"]))
    }
    await using opened = await console.open(`/jobs/${job.id}`, { baseURL: server.url })
    const { page } = opened
    await page.getByRole("link", { name: "Shards" }).click()
    const shards = page.getByLabel("Shards", { exact: true })
    await shards.getByText("2 shards").waitFor()
    await shards.getByText(hostname()).first().waitFor()
    await shards.getByText("3 of 3").first().waitFor()
    const log = await shards.getByRole("link", { name: "Log of shard 1" }).getAttribute("href")
    expect(await (await fetch(new URL(log ?? "", server.url))).text()).toContain("shard 1: 3 rows")
    await expectSound(opened)
  })
})
