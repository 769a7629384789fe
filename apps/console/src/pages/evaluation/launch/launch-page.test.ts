import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EXAMPLE_ROWS } from "../../../testing/example-job.ts"
import { expectFits, expectInWindow, expectSound, hasBrowser, useConsole } from "../../../testing/console-test.ts"

describe.runIf(hasBrowser)("the launch page", () => {
  const console = useConsole()
  let endpoint: FakeInference

  beforeAll(async () => {
    endpoint = await startFakeInference()
    const { client } = console
    await client.workspaces.create({ name: "launched" })
    await client.filesets.create("launched", { name: "questions", purpose: "dataset" })
    await client.filesets.create("launched", { name: "answered", purpose: "dataset" })
    await client.files.write("launched", "answered", "rows.jsonl", new TextEncoder().encode('{"id":1,"output":"a"}'))
    const rows = EXAMPLE_ROWS.map((row) => JSON.stringify(row)).join("\n")
    await client.files.write("launched", "questions", "rows.jsonl", new TextEncoder().encode(rows))
  })
  afterAll(async () => {
    const { jobs } = console.client.evaluation
    for await (const { id } of jobs.list({ filter: { namespace: "launched" } })) await jobs.remove(id)
    await console.client.workspaces.remove("launched", { cascade: true })
    await endpoint.close()
  })

  it(
    "writes one file in a form and as text, with faults on their lines, and launches a job for each model",
    verifies("console.launch"),
    async () => {
      await using opened = await console.open("/launch?data=launched/questions%23rows.jsonl")
      const { page } = opened
      const file = page.getByLabel("Evaluation file")
      const plan = page.getByRole("region", { name: "Plan" })
      await page.getByRole("button", { name: "From an endpoint" }).click()
      await page.getByLabel("Address", { exact: true }).fill(`${endpoint.url}/v1`)
      await page.getByRole("button", { name: "List its models" }).click()
      await page.getByRole("button", { name: "echo", exact: true }).click()
      await page.getByText("60 rows").first().waitFor()
      await page.getByRole("button", { name: "question", exact: true }).click()
      await page.getByRole("button", { name: "Add the check" }).click()
      await page.getByLabel("Workspace", { exact: true }).fill("launched")
      await plan.getByText("ready", { exact: true }).waitFor()
      expect(await file.inputValue()).toBe(
        `model: ${endpoint.url}/v1#echo\ndata: launched/questions#rows.jsonl\nprompt: "{{ question }}"\nchecks:\n  - equals: "{{ answer }}"\nnamespace: launched\n`,
      )
      expect(endpoint.requests.filter(({ chat }) => chat !== undefined)).toEqual([])
      await expectSound(opened)

      // A part that nobody has written yet is not a fault. It is named once, beside the file.
      const before = await file.inputValue()
      await page.getByRole("button", { name: "Add a gate" }).click()
      await plan.getByText("not complete").waitFor()
      await page.getByLabel("Another check").selectOption("judge")
      await page.getByRole("button", { name: "Add the check" }).click()
      await plan.getByText(/^'checks\.1\.judge\.ask' is missing/u).waitFor()
      expect(await plan.innerText()).not.toMatch(/null|\bfault/u)
      await file.fill(before.replace("questions#rows.jsonl", "answered"))
      await page.getByRole("button", { name: "output", exact: true }).waitFor()
      await page.getByLabel("Answers that the rows have already").check()
      await expect.poll(() => page.getByLabel("Answer of a row").inputValue()).toBe("{{ output }}")
      await file.fill(before)
      await plan.getByText("ready", { exact: true }).waitFor()

      // The text says the same as the form, and its faults are on their lines.
      await file.fill(`# kept\n${(await file.inputValue()).replace("equals:", "equal:")}`)
      await plan.getByText("1 fault").waitFor()
      await expect.poll(() => page.locator(".fault-lines .FAIL").innerText()).toContain("did you mean 'equals'")
      await expectSound(opened)
      await plan.getByRole("button", { name: "line 6" }).click()
      expect(await page.evaluate("getSelection().toString()")).toContain("equal:")
      await page.keyboard.press("End")
      await page.keyboard.press("Control+A")
      await page.keyboard.type(`model: ${endpoint.url}/v1#missing-model\nda`)
      await page.getByRole("option", { name: /^data/u }).waitFor()
      await page.keyboard.press("Enter")
      await page.keyboard.type("launched/q")
      await page.keyboard.press("Enter")
      await page.keyboard.type('\nprompt: "{{ que')
      await page.keyboard.press("Tab")
      await page.keyboard.type(' }}"\nnamespace: launched\nchecks:\n- equals: "{{ answer }}"')
      await expect.poll(() => page.getByLabel("Prompt", { exact: true }).inputValue()).toBe("{{ question }}")
      await plan.getByText("ready", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Launch", exact: true }).click()
      const failed = page.getByRole("alert", { name: "Failed checks" })
      await failed.getByText("model_not_found").waitFor()
      // The results scroll above the buttons, and are in sight at once.
      await page.setViewportSize({ width: 1280, height: 800 })
      const launch = page.getByRole("button", { name: "Launch", exact: true })
      await expectInWindow(page, launch)
      const boxes = [await page.locator(".launch-found").boundingBox(), await launch.boundingBox()] as const
      expect((boxes[0]?.y ?? 0) + (boxes[0]?.height ?? 0)).toBeLessThanOrEqual(boxes[1]?.y ?? 0)
      await expectInWindow(page, failed.getByRole("heading", { level: 2 }))
      await expect.poll(() => failed.innerText()).toContain("Remedy")

      // A reload shows the draft.
      await page.reload()
      await page.getByText("Your draft, changed").waitFor()
      await expect.poll(() => file.inputValue()).toContain("#missing-model")
      await file.fill((await file.inputValue()).replace(/model: (.*)#missing-model/u, "models: [$1#echo, $1#chat]"))
      await page.getByText("Each model is a job of its own.").waitFor()
      await plan.getByRole("row", { name: /Together 120/u }).waitFor()
      await page.setViewportSize({ width: 400, height: 800 })
      await expectFits(page)
      await page.getByRole("button", { name: "File", exact: true }).click()
      await expectFits(page)
      await page.getByRole("button", { name: "Launch 2 jobs" }).click()
      const launched = page.getByRole("region", { name: "Launched jobs" })
      await launched.getByText("2 of 2 jobs launched").waitFor()
      await launched.getByRole("link", { name: "chat" }).click()
      await page.getByText("COMPLETED", { exact: true }).waitFor()
      await page.getByRole("link", { name: "Launch again" }).click()
      await expect.poll(() => file.inputValue()).toContain("#chat\ndata: ")
    },
  )
})
