import { text } from "node:stream/consumers"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { type EvaluationConfigBody, printableText } from "@assay/schemas"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EXAMPLE_ROWS, exampleJob } from "../../testing/example-job.ts"
import { expectFits, expectSound, hasBrowser, useConsole } from "../../testing/console-test.ts"

describe.runIf(hasBrowser)("the pages of evaluations", () => {
  const console = useConsole()
  let endpoint: FakeInference
  let slow: FakeInference
  let first: string
  let second: string

  const bodyOf = (description: string, prompt: string, url = `${endpoint.url}/v1`) =>
    exampleJob({ description, prompt, url })
  const finish = async (id: string) => {
    for await (const { event, data } of console.client.evaluation.jobs.events(id)) {
      if (event === "status" && data["status"] === "FAILED") throw new Error(String(data["message"]))
    }
  }

  beforeAll(async () => {
    endpoint = await startFakeInference()
    slow = await startFakeInference({ latencyMs: 500 })
    const { client } = console
    await client.workspaces.create({ name: "runs" })
    await client.filesets.create("runs", { name: "questions", purpose: "dataset" })
    const rows = EXAMPLE_ROWS.map((row) => JSON.stringify(row)).join("\n")
    await client.files.write("runs", "questions", "rows.jsonl", rows)
    const jobs = await Promise.all(
      [
        bodyOf("nightly", "{{ item.question }}"),
        bodyOf(
          "changed \u202Eover",
          "Repeat the word only, \u202Eplease **now** <img src=x onerror=ran=1> [x](javascript:ran=1)",
        ),
      ].map((body) => client.evaluation.jobs.launch(body)),
    )
    ;[first = "", second = ""] = jobs.map(({ id }) => id)
    await Promise.all([finish(first), finish(second)])
  })
  afterAll(async () => {
    const { baselines } = console.client.evaluation
    for (const { name } of (await baselines.list("runs")).data) await baselines.remove("runs", name)
    for await (const { id } of console.client.evaluation.jobs.list({ filter: { namespace: "runs" } })) {
      await console.client.evaluation.jobs.remove(id)
    }
    await console.client.workspaces.remove("runs", { cascade: true })
    await Promise.all([endpoint.close(), slow.close()])
  })

  it(
    "list jobs, and show the scores of one with their intervals",
    verifies("console.accessible", "console.jobs", "console.verdict"),
    async () => {
      await using opened = await console.open("/jobs")
      const { page } = opened
      await page.getByRole("link", { name: "nightly" }).waitFor()
      await expectSound(opened)
      const jobs = page.getByRole("grid", { name: "Jobs" })
      await page.getByLabel("Find jobs").fill("echo runs/questions")
      await expect.poll(() => jobs.getAttribute("aria-rowcount")).toBe("3")
      await jobs.getByRole("button", { name: "contains" }).click()
      await expect.poll(() => new URL(page.url()).search).toContain("sort=-score")
      await jobs.focus()
      for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key)
      await page.getByText("2 jobs selected").waitFor()
      await page.getByRole("button", { name: "Delete" }).waitFor()
      await page.getByRole("status").getByRole("link", { name: "Compare" }).waitFor()
      await page.getByRole("button", { name: "Tag", exact: true }).click()
      const tags = page.getByRole("dialog", { name: "Tags of 2 jobs" })
      await tags.getByLabel("Add a tag").fill("of <b>tonight</b>")
      await tags.getByRole("button", { name: "Save" }).click()
      await expect.poll(() => jobs.getByText("of <b>tonight</b>").count()).toBe(2)
      await page.getByText("Export", { exact: true }).click()
      const saved = page.waitForEvent("download")
      await page.getByRole("button", { name: "As CSV" }).click()
      const csv = await text((await (await saved).createReadStream()) ?? [])
      expect(csv.split("\n")[0]).toMatch(/^id,name,status,gate,score:answers\.contains/u)
      expect(csv).toContain("of <b>tonight</b>")
      await page.getByLabel("Find jobs").fill("tonight runs/questions")
      await expect.poll(() => jobs.getAttribute("aria-rowcount")).toBe("3")
      await page.setViewportSize({ width: 400, height: 800 })
      await jobs
        .getByRole("row", { name: / 0\.\d+ · echo · /u })
        .first()
        .waitFor()
      await expectFits(page)
      await expectSound(opened)
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByRole("link", { name: "nightly" }).click()
      for (const shown of ["60 of 60", "Tokens in / out, without judges"]) await page.getByText(shown).waitFor()
      expect(await page.locator("header.page .badge").allInnerTexts()).toEqual(["COMPLETED", "FAIL"])
      await expect
        .poll(() => page.getByRole("region", { name: "Gates" }).getByRole("article").allInnerTexts())
        .toEqual([
          expect.stringMatching(/answers\.contains\.string-check ≥ 0\.3\s+PASS/u),
          expect.stringMatching(/answers\.contains\.string-check ≤ 0\.5\s+FAIL/u),
          expect.stringMatching(/string-check ≥ 0\.6 on these rows\s+PASS[^]*on these rows, without an interval/u),
        ])
      const card = page.getByRole("region", { name: "Scores" }).getByRole("article")
      await expect
        .poll(() => card.getByRole("img").getAttribute("aria-label"))
        .toMatch(/^0\.667, interval 0\.\d+ to 0\.\d+/u)
      await expect.poll(() => card.innerText()).toContain("60 scored")
      await card.getByText("Distribution").click()
      const slices = page.getByRole("region", { name: "Slices" })
      await slices.getByRole("img", { name: "Means by answer, with 95 % intervals" }).waitFor()
      await expect.poll(() => slices.innerText()).toContain("answer: the worst slice is nothing with 0,")
      await expectSound(opened)
      await slices.getByRole("link", { name: "Rows with “nothing”" }).click()
      await page.getByRole("button", { name: "Remove the filter item:answer=nothing" }).waitFor()
      await expect.poll(() => page.getByRole("grid", { name: "Rows" }).getAttribute("aria-rowcount")).toBe("21")
    },
  )

  it(
    "lead from a score to its worst row, and show all of it",
    verifies("console.address", "console.narrow", "console.rows"),
    async () => {
      await using opened = await console.open(`/jobs/${first}`, { width: 400 })
      const { page } = opened
      await page.getByRole("link", { name: "Worst rows" }).click()
      const grid = page.getByRole("grid", { name: "Rows" })
      await grid.getByText("✗ fails").first().waitFor()
      await grid.focus()
      await expect.poll(() => page.getByLabel("Order").inputValue()).toBe("score:contains.string-check")
      for (const key of ["j", "Enter"]) await page.keyboard.press(key)
      const panel = page.getByRole("complementary", { name: "Row 2" })
      await panel.getByText("Against the reference").waitFor()
      await panel.getByRole("list").getByText("Say the word three now", { exact: true }).waitFor()
      await panel.getByText("Request as JSON", { exact: true }).click()
      await panel.getByText('"role": "user"').waitFor()
      await page.reload()
      await panel.getByText("Item as JSON").click()
      await panel.getByText('"answer": "nothing"').waitFor()
      await expectFits(page)
      await expectSound(opened)
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByLabel("Which rows").selectOption("failing rows")
      await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe("61")
      await page.getByLabel("Which rows").selectOption("all rows")
      await page.getByText("Filter", { exact: true }).click()
      await page.getByRole("combobox", { name: "Column" }).selectOption("item:answer")
      await page.getByLabel("Text", { exact: true }).fill("nothing")
      await page.getByLabel("Text", { exact: true }).press("Enter")
      await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe("21")
      await page.getByRole("heading", { level: 1 }).click()
      for (const key of ["n", "n"]) await page.keyboard.press(key)
      await expect.poll(() => new URL(page.url()).search).toContain("at=1")
      const handle = page.getByRole("separator", { name: "Width of the panel" })
      await handle.press("ArrowLeft")
      await expect.poll(() => handle.getAttribute("aria-valuenow")).toBe("44")
      await page.goto(`/jobs/${first}?tab=rows&task=answers&row=5`)
      await page.getByRole("complementary", { name: "Row 5" }).getByText("Item as JSON").waitFor()
      await expect.poll(() => handle.getAttribute("aria-valuenow")).toBe("44")
      await expectSound(opened)
    },
  )

  it("take labels of drawn rows by keys, and correct the judge by them", verifies("console.labels"), async () => {
    await using opened = await console.open(`/jobs/${first}?tab=labels`)
    const { page } = opened
    const row = page.getByRole("region", { name: "Row to label" })
    const report = page.getByRole("region", { name: "Results of the labels" })
    await row.getByText("0 of 60 labelled").waitFor()
    await report.getByText("not validated").waitFor()
    await expectSound(opened)
    await page.getByLabel("Your name").fill("ann")
    await page.getByRole("heading", { name: "Results of the labels" }).click()
    for (let done = 0; done < 12; done++) {
      await row.getByText(`${done} of 60 labelled`).waitFor()
      await page.keyboard.press(done % 2 === 0 ? "y" : "n")
    }
    await row.getByText("12 of 60 labelled").waitFor()
    await page.keyboard.press("Control+z")
    await row.getByText("11 of 60 labelled").waitFor()
    await row.getByLabel("Or a number from 0 to 1").fill("0.5")
    await row.getByLabel("Note").fill("half of it")
    await row.getByLabel("Note").press("Enter")
    await row.getByText("12 of 60 labelled").waitFor()
    await page.getByRole("heading", { name: "Results of the labels" }).click()
    await page.keyboard.press("u")
    await report.getByText("1 row without a label because somebody was unsure").waitFor()
    await report.getByText(/more labels would make it about ±/u).waitFor()
    await report
      .getByRole("row", { name: /judge, corrected by people/u })
      .getByText(/\d to 0\.\d/u)
      .waitFor()
    const { data } = await console.client.evaluation.jobs.labels.list(first, { metric: "contains" })
    expect(data).toHaveLength(15)
    const last = data.slice(-3).map(({ label, withdrawn = false }) => `${label} ${withdrawn}`)
    expect(last).toEqual(["null true", "0.5 false", "null false"])
    expect(data.at(-2)).toMatchObject({
      author: "ann",
      label: 0.5,
      note: "half of it",
      probability: 1,
      draw: expect.stringMatching(/^random-1-[0-9a-f]{12}$/u),
    })
    await page.getByRole("button", { name: "Assign" }).click()
    const assign = page.getByRole("dialog", { name: "Assign rows to a colleague" })
    await assign.getByLabel("Their name").fill("bob")
    await page.goto(await assign.locator(".assigned").innerText())
    await expect.poll(() => page.getByLabel("Your name").inputValue()).toBe("bob")
    await expect.poll(() => page.getByLabel("Rows to label").inputValue()).toBe("others")
    await row.getByRole("button", { name: /^Yes/u }).waitFor()
    await page.getByRole("heading", { name: "Results of the labels" }).click()
    const labelled = new Set<string>()
    for (let done = 0; done < 4; done++) {
      await expect.poll(async () => labelled.has(await row.getByRole("heading", { level: 2 }).innerText())).toBe(false)
      labelled.add(await row.getByRole("heading", { level: 2 }).innerText())
      await page.keyboard.press("y")
    }
    await report.getByText("ann, bob:").waitFor()
    await report.getByText("Cohen's kappa").waitFor()
    const [kept] = await Promise.all([
      page.waitForEvent("download"),
      report.getByRole("link", { name: "Download labels.jsonl" }).click(),
    ])
    expect(kept.suggestedFilename()).toBe("labels.jsonl")
    await page.getByLabel("Rows to label").selectOption("with different labels")
    await row.getByText("Labels so far").waitFor()
    await page.setViewportSize({ width: 400, height: 800 })
    await expectFits(page)
    await expectSound(opened)
  })

  it("compare two jobs with paired intervals, and show which rows flipped", async () => {
    await using opened = await console.open("/compare")
    const { page } = opened
    await page.getByLabel("Baseline").selectOption(first)
    await page.getByLabel("Compared with it").selectOption(second)
    await page.getByText("Worse by more than the margin: contains.").waitFor()
    await expect.poll(() => page.getByRole("img", { name: /Paired difference/u }).count()).toBe(1)
    const table = page.getByRole("grid", { name: "Rows of both jobs" })
    await page.getByText("60 rows in both jobs.").waitFor()
    await expect.poll(() => table.getByTitle("worse").count()).toBeGreaterThan(0)
    const flips = page.getByRole("table", { name: "Rows by their change" })
    await flips.getByRole("button", { name: "20 became wrong" }).click()
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("21")
    await page.reload()
    await flips.getByRole("button", { name: "20 became wrong", pressed: true }).waitFor()
    await flips.getByRole("button", { name: "0 became right" }).click()
    await page.getByText("No row matches").waitFor()
    await flips.getByRole("button", { name: "0 became right" }).click()
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("61")
    await table.focus()
    await page.keyboard.press("j")
    const row = page.getByRole("complementary", { name: /^Row \d+$/u })
    await expect.poll(() => row.locator("del").allInnerTexts()).toContain("Say")
    await expect.poll(() => row.locator("ins").count()).toBeGreaterThan(0)
    await page.getByLabel("Order").selectOption("order of the dataset")
    await table.focus()
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await expect.poll(() => new URL(page.url()).search).toMatch(/sort=index.*at=\d|at=\d.*sort=index/u)
    await expectFits(page)
    await expectSound(opened)
    await page.setViewportSize({ width: 400, height: 800 })
    await expectFits(page)
    await expectSound(opened)
  })

  it(
    "compare shows no verdict for what does not decide, and one axis for each unit",
    verifies("console.compare"),
    async () => {
      const launch = async (description: string) => {
        const body = bodyOf(description, "{{ item.question }}")
        const { tasks = {} } = body.config as EvaluationConfigBody
        Object.assign(tasks["answers"]?.metrics ?? {}, { speed: { type: "latency" } })
        const { id } = await console.client.evaluation.jobs.launch(body)
        await finish(id)
        return id
      }
      const before = await launch("before")
      const after = await launch("after")
      await console.client.evaluation.baselines.set("runs", "main", first)
      await using opened = await console.open(`/jobs/${after}`)
      const { page } = opened
      await page
        .locator(".scores article", { hasText: "speed" })
        .getByText(/^[\d.,]+ ms$/u)
        .waitFor()
      await page.locator("main").getByRole("link", { name: "Compare" }).click()
      const proposed = page.getByRole("region", { name: "Proposed baselines" })
      await expect.poll(() => page.getByLabel("Compared with it").inputValue()).toBe(after)
      await proposed.getByText("the latest earlier job with the same configuration and dataset").waitFor()
      await proposed.getByText(/the stored baseline, set .*: eval-/u).waitFor()
      await proposed.getByRole("button", { name: "Compare with “main”" }).waitFor()
      await expectSound(opened)
      await proposed.getByRole("button", { name: "Compare with before" }).click()
      await expect.poll(() => page.getByLabel("Baseline").inputValue()).toBe(before)
      await page.getByText("No row changed in contains: equal results pass").waitFor()
      await page.getByText("In scores that decide, 0 rows changed.").waitFor()
      const plots = page.getByRole("img", { name: /^Paired difference of/u })
      await expect.poll(() => plots.count()).toBe(1)
      await page.getByText("1 further score: speed").click()
      await expect.poll(() => plots.count()).toBe(2)
      const speed = page.getByRole("row", { name: /speed/u }).first()
      await expect.poll(() => speed.innerText()).toMatch(/ms[^]*does not decide\s+60 rows$/u)
      // A third job is a column of the rows and a cell of the matrix.
      await page.getByLabel("Add a job").selectOption(second)
      const matrix = page.getByRole("region", { name: "Matrix of prompts and models" })
      await matrix.getByRole("button", { name: /FAIL/u }).click()
      await page.getByText("20 rows changed, counted for each of 2 jobs.").waitFor()
      const table = page.getByRole("grid", { name: "Rows of both jobs" })
      await table.getByRole("columnheader", { name: "after" }).waitFor()
      await page.getByRole("table", { name: "Rows by their change" }).getByText("became wrong").waitFor()
      await expectSound(opened)
    },
  )

  it(
    "show control characters of prompts, answers and names, and let none of them act",
    verifies("console.printable"),
    async () => {
      const tabs = ["", "?tab=rows&at=0", "?tab=definition"].map((tab) => `/jobs/${second}${tab}`)
      for (const path of [...tabs, "/jobs"]) {
        await using opened = await console.open(path)
        const { page } = opened
        await page.getByText(printableText("\u202Eover")).first().waitFor()
        await expect.poll(() => page.locator("main").innerText()).not.toContain("Loading")
        if (path.includes("at=0")) {
          await page.getByText(printableText("only, \u202Eplease")).first().waitFor()
          await page.locator(".markdown strong", { hasText: "now" }).first().waitFor()
          expect(await page.locator(".markdown :is(img, a)").count()).toBe(0)
        }
        const shown = await page.evaluate(
          "document.title + document.body.innerText + [...document.querySelectorAll('*')].map((one) => (one.title ?? '') + one.ariaLabel).join()",
        )
        expect(shown, path).not.toContain("\u202E")
      }
    },
  )

  it(
    "ask the failed rows of a job and the remaining ones again, and offer no resume that would ask nothing",
    verifies("console.continue", "console.main-way"),
    async () => {
      endpoint.faults.add({
        fault: { kind: "answer", status: 400, body: "no" },
        when: ({ chat }) => JSON.stringify(chat?.messages).includes("three"),
      })
      const { jobs } = console.client.evaluation
      const { id } = await jobs.launch(bodyOf("unlucky", "{{ item.question }}"))
      for await (const _ of jobs.events(id)) continue
      await using opened = await console.open(`/jobs/${id}`)
      const { page } = opened
      await page.getByText("FAILED", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Resume with failed rows" }).first().waitFor()
      const condition = page.getByRole("region", { name: "Conditions" })
      expect(await condition.locator(".primary").allInnerTexts()).toEqual(["Resume with failed rows"])
      expect(await page.getByRole("button", { name: "Resume", exact: true }).count()).toBe(0)
      endpoint.faults.clear()
      await page.getByRole("button", { name: "Resume with failed rows" }).first().press("Enter")
      await page.getByText("COMPLETED").waitFor()
      await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("MAIN")
      await page.getByText("60 of 60").waitFor()
      await expect.poll(() => page.getByRole("button", { name: /failed rows/ }).count()).toBe(0)
    },
  )

  it("follow a job live, show its log, and cancel it", async () => {
    const { config, ...body } = bodyOf("slow", "{{ item.question }}", `${slow.url}/v1`)
    // It would take half a minute: long enough to be seen and cancelled on a busy machine.
    const params = { parallelism: 1 }
    const job = await console.client.evaluation.jobs.launch({
      ...body,
      config: { ...(config as object), params } as never,
    })
    await using opened = await console.open(`/jobs/${job.id}`)
    const { page } = opened
    await page.getByRole("progressbar").waitFor()
    await page.getByText("Scores so far").waitFor()
    // The first rows of a file can differ from the others, so that there is no interval.
    await expect.poll(() => page.getByText(/\d+ rows so far, rows in file order/u).count()).toBeGreaterThan(0)
    expect(await page.getByRole("img", { name: /interval/u }).count()).toBe(0)
    const look = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} }); document.dispatchEvent(new Event("visibilitychange"))`,
      )
    await using beside = await console.open(`/compare?a=${first}&b=${job.id}`)
    await beside.page.getByText("is RUNNING. It is compared as soon as it has ended.").waitFor()
    await expect.poll(() => beside.page.locator("option:checked", { hasText: /^slow · echo · /u }).count()).toBe(1)
    await look(true)
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByText("CANCELLED", { exact: true }).waitFor()
    await beside.page.getByText(/^Margin 0\. In scores that decide/u).waitFor()
    await expect.poll(() => page.title()).toBe("CANCELLED: slow · Assay")
    await look(false)
    expect(await page.title()).toBe("slow · Assay")
    await page.getByRole("button", { name: "Resume" }).waitFor()
    await page.getByRole("link", { name: "Log" }).click()
    await page.getByLabel("Log").waitFor()
    await expectSound(opened)
  })
})
