import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectFits, expectSound, hasBrowser, useConsole } from "../../../testing/console-test.ts"
import { readLaunchFile } from "../launch/file/read-launch-file.ts"

const ORDERS = ["A1", "A2", "A3"].map((order) => ({ order, status: "packed", locked: order === "A2" ? "A2" : "none" }))

const fileOf = (url: string, again: number) => `
model: ${url}/v1#agent
data: default/orders#rows.jsonl
description: orders tried ${again} times
system: Serve them.
turns:
  - user: "Where is order {{ order }}?"
    checks: [ contains: "{{ status }}" ]
  - user: "Cancel it. You said: {{ turns[0].output_text }}"
    repeat: { until: { contains: gone }, limit: ${again} }
    checks:
      - contains: gone
      - judge: { ask: "Is it polite?", model: "${url}/v1#scored-judge" }
        as: polite
tools:
  - name: get_order
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    answers: [ { result: { status: "{{ status }}", note: "<img src=x onerror=ran=1> \\u202Eover" } } ]
  - name: cancel
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    answers: [ { when: { id: "{{ locked }}" }, error: it is locked }, { result: gone, set: { order: cancelled } } ]
state: { order: "{{ status }}" }
checks: [ state: { path: $.order, equals: cancelled } ]
gates: [ "contains >= 0.1", "polite@2 >= 0" ]
`

describe.runIf(hasBrowser)("the pages of conversations", () => {
  const console = useConsole()
  let endpoint: FakeInference
  let before: string
  let after: string

  const launch = async (again: number) => {
    const [job] = readLaunchFile(fileOf(endpoint.url, again)).jobs
    if (job === undefined) throw new Error("The file has a fault.")
    const { id } = await console.client.evaluation.jobs.launch(job.body)
    for await (const _ of console.client.evaluation.jobs.events(id)) continue
    return id
  }
  beforeAll(async () => {
    endpoint = await startFakeInference()
    const { filesets, files } = console.client
    await filesets.create("default", { name: "orders", purpose: "dataset" })
    await files.write("default", "orders", "rows.jsonl", ORDERS.map((row) => JSON.stringify(row)).join("\n"))
    before = await launch(1)
    after = await launch(2)
  })
  afterAll(async () => {
    const { evaluation, filesets } = console.client
    for (const id of [before, after]) await evaluation.jobs.remove(id)
    await filesets.remove("default", "orders")
    await endpoint.close()
  })

  it(
    "show turns with their calls and scores, why it ended and the state, and two runs from where they part",
    verifies("console.conversations", "console.make-test"),
    async () => {
      await using opened = await console.open(`/jobs/${after}?tab=rows&at=1`)
      const { page } = opened
      const talk = page.getByRole("region", { name: "Conversation" })
      await talk.getByText("3 turns, 3 calls").waitFor()
      const scores = talk.getByRole("list", { name: "Scores of turn 2" })
      await expect.poll(() => scores.innerText()).toMatch(/✗ contains 0\s*✗ polite 0\s*no/u)
      await talk.getByText("✗ it is locked").first().waitFor()
      // A hostile result is text, and its control characters are shown.
      const call = talk.getByText('get_order(id: "A2")')
      await talk.getByText("⟨U+202E⟩over").first().waitFor()
      await call.click()
      await talk.getByLabel("arguments of get_order", { exact: true }).getByText('"id": "A2"').waitFor()
      expect(await talk.locator("img").count()).toBe(0)
      await talk.getByText("All turns were held.").waitFor()
      await talk.getByLabel("state at the end", { exact: true }).getByText('"order": "packed"').waitFor()
      // Single turns are at their turn, and not among the scores of the row.
      const grid = page.getByRole("grid", { name: "Rows" })
      expect(await grid.getByRole("columnheader", { name: "contains", exact: true }).count()).toBe(1)
      expect(await grid.getByText("contains@2").count()).toBe(0)
      // Beside an open row, the tools of the list have one line, and no column is cut.
      expect((await page.locator(".table .tools").boundingBox())?.height).toBeLessThan(48)
      expect(await grid.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
      await expectSound(opened)
      await page.setViewportSize({ width: 400, height: 800 })
      await expectFits(page)
      await expectSound(opened)
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByRole("button", { name: "Make this row a test" }).click()
      const test = page.getByRole("region", { name: "Test of this row" })
      expect(await test.getByLabel("line of the test", { exact: true }).innerText()).toContain('"tool_answers"')
      await test.getByText(`assay import row ${after}`).waitFor()
      const saving = page.waitForEvent("download")
      await test.getByRole("button", { name: "Download" }).click()
      expect((await saving).suggestedFilename()).toBe("tests.jsonl")
      await expectSound(opened)
      await page.goto(`/compare?a=${before}&b=${after}&at=0`)
      const both = page.getByRole("region", { name: "Both conversations" })
      await both.getByText("The first 2 turns are the same. They part in turn 3.").waitFor()
      await both.getByRole("region", { name: "Conversation of Baseline" }).getByText("2 turns, 2 calls").waitFor()
      await both.getByRole("region", { name: "Conversation of Job" }).getByText("Turn 3").waitFor()
      expect(await both.getByText("Turn 1").count()).toBe(0)
      await both.getByText("What both have in common: 2 turns").click()
      await both.getByText("Turn 1").waitFor()
      await expectSound(opened)
    },
  )
})
