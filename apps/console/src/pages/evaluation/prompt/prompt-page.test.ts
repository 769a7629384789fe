import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EXAMPLE_ROWS } from "../../../testing/example-job.ts"
import { expectFits, expectSound, hasBrowser, useConsole } from "../../../testing/console-test.ts"

describe.runIf(hasBrowser)("the page of a prompt", () => {
  const console = useConsole()
  let endpoint: FakeInference

  beforeAll(async () => {
    endpoint = await startFakeInference()
    const { client } = console
    await client.workspaces.create({ name: "tried" })
    await client.filesets.create("tried", { name: "questions", purpose: "dataset" })
    const rows = EXAMPLE_ROWS.map((row) => JSON.stringify({ ...row, note: "\u202E<img src=x onerror=ran=1>" })).join(
      "\n",
    )
    await client.files.write("tried", "questions", "rows.jsonl", new TextEncoder().encode(rows))
  })
  afterAll(async () => {
    await console.client.workspaces.remove("tried", { cascade: true })
    await endpoint.close()
  })

  it(
    "asks models side by side about ten rows after it has said how many requests that is, and becomes an evaluation",
    verifies("console.prompt"),
    async () => {
      await using opened = await console.open("/prompt?data=tried/questions%23rows.jsonl")
      const { page } = opened
      const asked = () => endpoint.requests.filter(({ chat }) => chat !== undefined).length
      await page.getByRole("button", { name: "question", exact: true }).click()
      await page.getByRole("button", { name: "From an endpoint" }).click()
      await page.getByLabel("Address", { exact: true }).fill(`${endpoint.url}/v1`)
      await page.getByRole("button", { name: "List its models" }).click()
      await page.getByRole("button", { name: "echo", exact: true }).click()
      await page.getByText("Add a model").click()
      await page.getByRole("button", { name: "chat", exact: true }).click()
      await page.getByLabel("First check").selectOption("contains")
      await page.getByRole("button", { name: "Add the check" }).click()
      await page.getByText(/^Sends 20 requests/u).waitFor()
      expect(asked()).toBe(0)
      await page.getByRole("button", { name: "Ask 2 models about 10 rows" }).click()
      const answers = page.getByRole("region", { name: "Answers" })
      await expect
        .poll(() => answers.getByRole("columnheader").allInnerTexts())
        .toEqual([
          "Row",
          expect.stringMatching(/echo[^]*10 rows · contains [01]/u),
          expect.stringMatching(/chat[^]*10 rows · contains [01]/u),
        ])
      expect(asked()).toBe(20)
      expect(await answers.getByText("contains 1").count()).toBeGreaterThan(0)
      await answers.getByText("⟨U+202E⟩<img").first().waitFor()
      await expectSound(opened)
      await page.setViewportSize({ width: 400, height: 800 })
      await expectFits(page)
      await page.getByRole("button", { name: "Save as evaluation" }).click()
      await page.getByRole("heading", { name: "Launch" }).waitFor()
      await expect
        .poll(() => page.getByLabel("Evaluation file").inputValue())
        .toContain("data: tried/questions#rows.jsonl")
      expect(await page.evaluate("typeof ran")).toBe("undefined")
    },
  )
})
