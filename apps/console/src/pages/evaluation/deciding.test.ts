import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EXAMPLE_ROWS, exampleJob } from "../../testing/example-job.ts"
import { expectFits, expectSound, hasBrowser, useConsole } from "../../testing/console-test.ts"
import { focusedName, goTo, press, tabTo } from "../../testing/keyboard.ts"

describe.runIf(hasBrowser)("the pages on which people decide", () => {
  const console = useConsole()
  let endpoint: FakeInference
  const ids: string[] = []

  beforeAll(async () => {
    endpoint = await startFakeInference()
    const { workspaces, filesets, files, evaluation } = console.client
    await workspaces.create({ name: "why" })
    await filesets.create("why", { name: "questions", purpose: "dataset" })
    await files.write("why", "questions", "rows.jsonl", EXAMPLE_ROWS.map((row) => JSON.stringify(row)).join("\n"))
    for (const prompt of ["{{ item.question }}", "Say {{ item.id }} again: the word two"]) {
      const body = exampleJob({
        description: prompt.startsWith("Say") ? "changed" : "nightly",
        prompt,
        url: `${endpoint.url}/v1`,
      })
      const { id } = await evaluation.jobs.launch(JSON.parse(JSON.stringify(body).replaceAll("runs", "why")))
      for await (const _ of evaluation.jobs.events(id)) continue
      ids.push(id)
    }
  })
  afterAll(async () => {
    for (const id of ids) await console.client.evaluation.jobs.remove(id)
    await console.client.workspaces.remove("why", { cascade: true })
    await endpoint.close()
  })

  it("link a job that scores the outputs of another one to that job", verifies("eval.rescore.job"), async () => {
    const { jobs } = console.client.evaluation
    const [first = ""] = ids
    const { config } = await jobs.get(first)
    const params = { gates: [{ task: "answers", metric: "contains", op: ">=" as const, value: 0.5 }] }
    const never = { type: "string-check", params: { check: ["a", "equals", "b"] } }
    const { answers = {} } = config.tasks ?? {}
    const tasks = { answers: { ...answers, metrics: { ...answers.metrics, never } } }
    const body = { config: { ...config, params, tasks }, description: "scored again" }
    const { id } = await jobs.rescore(first, body)
    for await (const _ of jobs.events(id)) continue
    await using opened = await console.open(`/jobs/${id}`)
    await opened.page.getByText("scores the outputs of").waitFor()
    await expectSound(opened)
    await opened.page.getByRole("link", { name: first }).click()
    await opened.page.getByRole("heading", { name: "nightly" }).waitFor()
    // The check without a gate is 0 in every row, and does not decide.
    await opened.page.goto(`/jobs/${id}?tab=rows`)
    const rows = opened.page.getByRole("grid", { name: "Rows" })
    await rows.getByText("✗ fails").first().waitFor()
    expect(await rows.getByText("✓", { exact: true }).count()).toBeGreaterThan(0)
    await jobs.remove(id)
  })

  it(
    "lead by keys alone from a job to the rows that became wrong, and to the words that differ",
    verifies("console.why-worse", "console.focus"),
    async () => {
      await using opened = await console.open("/")
      const { page, faults } = opened
      await page.getByRole("heading", { level: 1 }).waitFor()
      await goTo(page, "changed", /^changed/u)
      await page.locator("main").getByRole("link", { name: "Compare" }).waitFor()
      await tabTo(page, /^Compare$/u)
      await press(page, "Enter")
      await page.getByRole("region", { name: "Proposed baselines" }).getByRole("button").first().waitFor()
      await tabTo(page, /^Compare with /u)
      await press(page, "Enter")
      await page.getByText("Worse by more than the margin: contains.").waitFor()
      await page.getByRole("table", { name: "Rows by their change" }).waitFor()
      await expect.poll(() => focusedName(page)).toMatch(/^Compare/u)
      await tabTo(page, /became wrong/u)
      await press(page, "Enter")
      const table = page.getByRole("grid", { name: "Rows of both jobs" })
      await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("21")
      await press(page, "j")
      const row = page.getByRole("complementary", { name: /^Row \d+$/u })
      await expect.poll(() => row.locator("del").allInnerTexts()).toContain("one now")
      await expect.poll(() => row.locator("ins").count()).toBeGreaterThan(0)
      await press(page, "j")
      await expect.poll(() => new URL(page.url()).search).toContain("at=1")
      await tabTo(page, /^In the job$/u)
      await press(page, "Enter")
      await row.getByText("Against the reference").waitFor()
      await press(page, "n")
      await expect.poll(() => new URL(page.url()).search).toContain("at=")
      await press(page, "Escape")
      await row.waitFor({ state: "detached" })
      // A job that was deleted is named, and nothing is proposed for it.
      await page.goto("/compare?b=eval-gone")
      await page.getByText("Evaluation job 'eval-gone' not found").waitFor()
      expect(await page.getByText("Choose the baseline").count()).toBe(0)
      await page.goto("/compare?b=eval-gone,eval-other")
      await page.getByLabel("Compared with it, job 2").waitFor()
      // The controls for all jobs share a line, however many jobs there are.
      const tops = ["Add a job", "Margin"].map(async (name) => (await page.getByLabel(name).boundingBox())?.y)
      const [added, margin] = await Promise.all(tops)
      expect(Math.abs((added ?? Number.NaN) - (margin ?? Number.NaN))).toBeLessThan(8)
      await page.goto("/compare")
      expect(await page.getByRole("link", { name: "Launch a job" }).getAttribute("href")).toBe("/launch")
      expect(faults).toEqual([])
    },
  )

  it(
    "take 30 labels of two people by keys alone, and show how far they agree",
    verifies("console.labels", "console.focus"),
    async () => {
      const { labels } = console.client.evaluation.jobs
      await using opened = await console.open(`/jobs/${ids[1]}`)
      const { page } = opened
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await page.getByRole("heading", { level: 1 }).waitFor()
      await press(page, "Tab", "Enter")
      await tabTo(page, /^Labels$/u)
      await press(page, "Enter")
      const row = page.getByRole("region", { name: "Row to label" })
      const label = async (count: number, isYes: (index: number) => boolean) => {
        const seen = new Set<string>()
        for (let done = 0; done < count; done++) {
          const heading = () => row.getByRole("heading", { level: 2 }).innerText()
          await expect.poll(async () => seen.has(await heading())).toBe(false)
          seen.add(await heading())
          await press(page, isYes(done) ? "y" : "n")
        }
      }
      await row.getByText("0 of 60 labelled").waitFor()
      // No label is kept before somebody has written a name, or chosen none.
      const nameless = row.getByRole("button", { name: "Label without a name" })
      await nameless.waitFor()
      await press(page, "y")
      expect(await row.getByRole("button", { name: /^Yes/u }).count()).toBe(0)
      await tabTo(page, /^Your name/u)
      await page.keyboard.type("ann")
      await press(page, "Enter")
      await nameless.waitFor({ state: "detached" })
      await label(29, (index) => index % 3 > 0)
      // The last one gets a note first, by the fields below the answers.
      await row.getByText("29 of 60 labelled").waitFor()
      await tabTo(page, /^Note$/u)
      await page.keyboard.type("hard to say, n or y")
      await press(page, "Enter")
      await expect.poll(() => focusedName(page)).toMatch(/^Yes/u)
      await press(page, "n")
      await row.getByText("30 of 60 labelled").waitFor()
      await expect.poll(() => focusedName(page)).toMatch(/^Yes/u)
      await press(page, "Control+z")
      await row.getByText("29 of 60 labelled").waitFor()
      await press(page, "Enter")
      await row.getByText("30 of 60 labelled").waitFor()
      await tabTo(page, /^Assign$/u)
      await press(page, "Enter")
      await page.keyboard.type("bob")
      await tabTo(page, /^Copy the link$/u)
      await press(page, "Enter")
      await page.getByText("Copied the link for bob").waitFor()
      await expect.poll(() => focusedName(page)).toBe("Assign")
      await page.goto(await page.evaluate<string>("navigator.clipboard.readText()"))
      await row.getByRole("button", { name: /^Yes/u }).waitFor()
      await label(30, (index) => index % 3 > 0 || index === 0)
      await page.getByText("You have labelled every row that others labelled").waitFor()
      const report = page.getByRole("region", { name: "Results of the labels" })
      await report.getByText(/^ann, bob: \d+ of 30 rows with equal labels/u).waitFor()
      await report.getByText("Cohen's kappa").waitFor()
      const { data } = await labels.list(ids[1] ?? "", { metric: "contains" })
      // A label that is taken back leaves its note in the field.
      expect(data.filter(({ note }) => note === "hard to say, n or y").map((one) => one.label)).toEqual([0, 1])
      expect(data.filter(({ author, withdrawn }) => author === "bob" && withdrawn !== true)).toHaveLength(30)
    },
  )

  it(
    "show scores over time with gates, the best models of a dataset, and the history of a baseline",
    verifies("console.trends"),
    async () => {
      const { baselines } = console.client.evaluation
      const [first = "", second = ""] = ids
      await baselines.set("why", "moved", second)
      await baselines.set("why", "moved", first)
      await using opened = await console.open(`/jobs/${first}`)
      const { page } = opened
      await page.getByRole("link", { name: "These scores over time" }).click()
      const chart = page.getByRole("group", { name: /^answers\.contains\.string-check over time/u })
      await chart.getByText("gate ≥ 0.3", { exact: true }).waitFor()
      await chart
        .getByRole("link", { name: /, gate ≥ 0\.3, gate ≤ 0\.5/u })
        .first()
        .waitFor()
      await page.getByText("The same as a table").click()
      await page.getByRole("columnheader", { name: "Failed rows" }).waitFor()
      await expectSound(opened)
      await page.setViewportSize({ width: 400, height: 800 })
      await expectFits(page)
      await page.setViewportSize({ width: 1280, height: 800 })
      await chart
        .getByRole("link", { name: /nightly · echo/u })
        .first()
        .focus()
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "nightly" }).waitFor()
      await page.goBack()
      await page.getByRole("link", { name: "Leaderboard" }).click()
      const board = page.getByRole("region", { name: "Leaderboard" })
      await board
        .getByRole("row", { name: /^a echo nightly/u })
        .first()
        .waitFor()
      await board
        .getByRole("row", { name: /^b echo changed/u })
        .getByRole("link", { name: "compare with the best" })
        .waitFor()
      await expectSound(opened)
      await page.getByRole("link", { name: "Baselines" }).click()
      const moved = page.getByRole("article", { name: "moved" })
      await moved.getByText("History: 2 jobs").click()
      await moved.getByRole("link", { name: "changed" }).waitFor()
      await expectSound(opened)
      await moved.getByRole("button", { name: "Delete" }).click()
      await page
        .getByRole("dialog", { name: "Delete the baseline “moved”?" })
        .getByRole("button", { name: "Delete" })
        .click()
      await moved.waitFor({ state: "detached" })
    },
  )
})
