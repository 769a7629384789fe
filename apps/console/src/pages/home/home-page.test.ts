import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { expectFits, expectSound, hasBrowser, useConsole } from "../../testing/console-test.ts"

const console = useConsole()

describe.runIf(hasBrowser)("Home", () => {
  it(
    "runs the first examples from the page, and links to what came of them",
    verifies("console.first-steps"),
    async () => {
      await using opened = await console.open("/", { width: 400 })
      const { page } = opened
      const steps = page.locator("details.first-steps")
      await steps.waitFor()
      if ((await steps.getAttribute("open")) === null) await page.getByText("Three things to try").click()
      await page.getByRole("heading", { level: 2, name: "Find a bad row" }).waitFor()
      expect(await page.locator("main").getByRole("link", { name: "Guide" }).getAttribute("href")).toBe(
        "/help/guides/console",
      )
      await page.getByRole("button", { name: "Check three rows" }).click()
      await page.getByText("1 of 3 rows is invalid.").waitFor()
      await expect.poll(() => page.getByText('must be integer; it is "four"').count()).toBe(1)
      await page.getByRole("button", { name: "Score twelve answers" }).click()
      const link = page.getByRole("link", { name: "See the scores and every row" })
      await expect.poll(() => link.getAttribute("href")).toMatch(/^\/jobs\/eval-\w+$/)
      await page.getByRole("link", { name: "default/example-reviews" }).waitFor()
      await expectFits(page)
      await expectSound(opened)
    },
  )

  it("shows a job that failed, with the condition that it met", verifies("console.attention"), async () => {
    const { jobs } = console.client.evaluation
    const filesUrl = "assay://datasets/default/is-not-there/rows.jsonl"
    const job = await jobs.launch(
      {
        description: "Rows that <b>do not exist</b>",
        target: { type: "cached_outputs", cached_outputs: { files_url: filesUrl } },
        config: { type: "custom", tasks: { one: { type: "data", dataset: { files_url: filesUrl }, metrics: EXACT } } },
      },
      { skipChecks: true },
    )
    await using opened = await console.open("/")
    const card = opened.page.getByRole("listitem").filter({ hasText: "Rows that <b>do not exist</b>" })
    await card.getByText("failed", { exact: true }).waitFor({ timeout: 15_000 })
    const recent = opened.page.getByRole("region", { name: "Recent jobs" }).getByRole("row")
    await recent.filter({ hasText: "Rows that <b>do not exist</b>" }).getByText("FAILED").waitFor()
    const { conditions } = await jobs.get(job.id)
    expect(await card.getByRole("code").first().textContent()).toBe(conditions[0]?.code)
    await expectFits(opened.page)
    await expectSound(opened)
  })
})

const EXACT = { exact: { type: "em", params: { ground_truth: "{{ item.reference }}" } } }
