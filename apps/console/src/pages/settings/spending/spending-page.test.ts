import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type Client, createClient, type Fetch } from "@assay/client"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleJob } from "../../../testing/example-job.ts"
import { expectFits, expectSound, hasBrowser, useConsole } from "../../../testing/console-test.ts"
import { goTo, press, tabTo } from "../../../testing/keyboard.ts"
import { type ServerProcess, startServerProcess } from "../../../testing/start-server-process.ts"
import { monthName } from "./month-name.ts"

/** Returns the month that is `back` months before this one. */
function monthBefore(back: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, "2026-03".length)
}

describe.runIf(hasBrowser)("the page of spending", () => {
  const console = useConsole()
  const past = monthBefore(3)
  const folder = mkdtempDisposableSync(join(tmpdir(), "assay-spending-"))
  let endpoint: FakeInference
  let server: ServerProcess
  let client: Client

  beforeAll(async () => {
    endpoint = await startFakeInference()
    const prices = join(folder.path, "prices.yaml")
    writeFileSync(prices, 'currency: USD\nmodels: [{model: "ec*", prompt_price: 1000, completion_price: 2000}]\n')
    server = await startServerProcess({ ASSAY_PRICES_FILE: prices })
    client = createClient({ url: server.url, fetch: fetch as Fetch })
    await client.workspaces.create({ name: "runs" })
    await client.filesets.create("runs", { name: "questions", purpose: "dataset" })
    await client.files.write(
      "runs",
      "questions",
      "rows.jsonl",
      new TextEncoder().encode('{"question":"a","answer":"a"}\n'),
    )
    const { jobs } = client.evaluation
    const { id } = await jobs.launch(
      exampleJob({ description: "of then \u202E<b>", prompt: "{{ item.question }}", url: `${endpoint.url}/v1` }),
    )
    for await (const _ of jobs.events(id)) continue
    // Nobody can wait for months: the records of the server say that this was one of the past.
    const database = new DatabaseSync(join(server.folder, "data", "registry.db"), { timeout: 10_000 })
    database
      .prepare("UPDATE evaluation_jobs SET created_at = ? WHERE id = ?")
      .run(Date.parse(`${past}-14T12:00:00Z`), id)
    const add = database.prepare(
      "INSERT INTO workspace_usage (workspace, month, requests, prompt_tokens, completion_tokens, unpriced_tokens, cost, currency) VALUES (?, ?, 1200, 30000, 8000, 40, ?, 'USD')",
    )
    add.run("runs", past, 184.2)
    add.run("default", past, 61.4)
    database.close()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await endpoint.close()
    folder.remove()
  })

  it(
    "answers by keys alone what a past month cost, by workspace, model and job",
    verifies("console.spending"),
    async () => {
      await using opened = await console.open("/", { baseURL: server.url })
      const { page } = opened
      await page.getByRole("heading", { level: 1 }).waitFor()
      await goTo(page, "spending", /Spending/u)
      await page.getByRole("heading", { name: "Spending" }).waitFor()
      await page.getByLabel("Month", { exact: true }).waitFor()
      await tabTo(page, /^Month$/u)
      await press(page, "ArrowDown", "ArrowDown", "ArrowDown")
      const figures = page.getByRole("region", { name: monthName(past, "long") })
      await figures.getByText("245.60 USD").waitFor()
      await figures.getByText("80 tokens have no price").waitFor()
      await page.getByRole("row", { name: /runs 184\.20 USD/u }).waitFor()
      await page.getByRole("row", { name: /^echo/u }).waitFor()
      await page.getByRole("link", { name: "of then ⟨U+202E⟩<b>" }).waitFor()
      expect(page.url()).toContain(`month=${past}`)
      await tabTo(page, /^of then/u)
      await press(page, "Enter")
      await page.getByText("1 of 1", { exact: true }).waitFor()
      await page.goBack()
      await figures.getByText("245.60 USD").waitFor()
      await expectSound(opened)
      await page.setViewportSize({ width: 320, height: 600 })
      await expectFits(page)
    },
  )

  it("sets a budget of a workspace, and shows what was used of it", verifies("console.budget"), async () => {
    await using opened = await console.open("/workspaces?name=runs", { baseURL: server.url })
    const { page } = opened
    const budget = page.getByRole("region", { name: "Budget" })
    await budget.getByText("No limit:").waitFor()
    await budget.getByRole("button", { name: "Set a budget" }).click()
    const form = page.getByRole("dialog", { name: "Budget of runs" })
    await form.getByLabel("Cost").fill("50")
    // A fault stands at its field, once.
    const requests = form.getByLabel("Requests")
    await requests.fill("-5")
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByText("Must be a whole number from 1").waitFor()
    expect(await requests.getAttribute("aria-invalid")).toBe("true")
    expect((await form.innerText()).match(/Must be a whole number/gu)).toHaveLength(1)
    await expectSound(opened)
    await requests.fill("1000")
    await form.getByRole("button", { name: "Save" }).click()
    await budget.getByText(/^0\.\d+ of 50\.00 USD$/u).waitFor()
    await budget.getByText("1 of 1,000 requests").waitFor()
    expect((await client.budgets.get("runs")).limits).toEqual({ max_requests: 1000, max_cost: 50 })
    await expectSound(opened)
    await page.goto("/spending")
    await page.getByRole("row", { name: /runs .*% of 1,000 requests/u }).waitFor()
    await page.goto("/workspaces?name=runs")
    await budget.getByRole("button", { name: "Remove the budget" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove the budget" }).click()
    await budget.getByText("No limit:").waitFor()
  })
})
