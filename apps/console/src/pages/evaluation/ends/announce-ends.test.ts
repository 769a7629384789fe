import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EXAMPLE_ROWS, exampleJob } from "../../../testing/example-job.ts"
import { expectSound, hasBrowser, useConsole } from "../../../testing/console-test.ts"

/** Records in the storage of the browser, which tabs share, what a page asks of notifications and shows by them. */
const NOTIFICATIONS = `
  const keep = (name, text) => localStorage.setItem("test." + name, text)
  globalThis.Notification = class extends EventTarget {
    static get permission() {
      return localStorage.getItem("test.asked") === "yes" ? "granted" : "default"
    }
    static async requestPermission() {
      keep("asked", "yes")
      return "granted"
    }
    constructor(title, { tag }) {
      super()
      keep("shown", (localStorage.getItem("test.shown") ?? "") + title + " " + tag + ";")
    }
  }
`

describe.runIf(hasBrowser)("the browser", () => {
  const console = useConsole()
  let slow: FakeInference
  beforeAll(async () => {
    slow = await startFakeInference({ latencyMs: 500 })
    const { client } = console
    await client.workspaces.create({ name: "ends" })
    await client.filesets.create("ends", { name: "questions", purpose: "dataset" })
    await client.files.write(
      "ends",
      "questions",
      "rows.jsonl",
      EXAMPLE_ROWS.map((row) => JSON.stringify(row)).join("\n"),
    )
  })
  afterAll(async () => {
    await console.client.workspaces.remove("ends", { cascade: true })
    await slow.close()
  })

  it(
    "announces the end of a job once over all tabs, if the user has asked for it by a click",
    verifies("console.ends"),
    async () => {
      const text = JSON.stringify(
        exampleJob({ description: "announced", prompt: "{{ item.question }}", url: `${slow.url}/v1` }),
      )
      const { config, ...body } = JSON.parse(text.replaceAll("runs", "ends"))
      const launch = () =>
        console.client.evaluation.jobs.launch({
          ...body,
          config: { ...(config as object), params: { parallelism: 1 } } as never,
        })
      const { id } = await launch()
      await using opened = await console.open("/help")
      const { page, faults } = opened
      const context = page.context()
      // A browser without a screen has no service that shows notifications.
      await context.addInitScript(NOTIFICATIONS)
      const read = (name: string) => page.evaluate<string>(`localStorage.getItem("test.${name}") ?? ""`)
      const look = (one: typeof page, isHidden: boolean) =>
        one.evaluate(
          `Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} }); document.dispatchEvent(new Event("visibilitychange"))`,
        )
      await page.goto(`/jobs/${id}`)
      const follow = page.getByRole("button", { name: "Notify me when it ends" })
      await follow.waitFor()
      expect(await read("asked")).toBe("")
      await follow.click()
      await page.getByRole("button", { name: "You are notified when it ends", pressed: true }).waitFor()
      expect(await read("asked")).toBe("yes")
      await page.goto("/models")
      await page.getByRole("heading", { name: "Models", level: 1 }).waitFor()
      const others = [await context.newPage(), await context.newPage()]
      const asking = new Set<typeof page>()
      for (const other of others) {
        other.on("request", (request) => {
          if (request.url().includes(`/jobs/${id}/status`)) asking.add(other)
        })
        await other.goto("/models")
        await other.getByRole("heading", { name: "Models", level: 1 }).waitFor()
      }
      // The tab that announced the end so far is closed, and another one goes on, although nobody sees it.
      for (const other of others) await look(other, true)
      await page.goto("/help")
      await console.client.evaluation.jobs.cancel(id)
      await expect.poll(() => read("shown"), { timeout: 60_000 }).toBe(`CANCELLED: announced ${id};`)
      await expect
        .poll(async () => Promise.all(others.map((other) => other.title())))
        .toContain("CANCELLED: announced · Assay")
      // Only one tab asks about it.
      expect(asking.size).toBe(1)
      for (const other of others) await look(other, false)
      expect(await Promise.all(others.map((other) => other.title()))).toEqual(["Models · Assay", "Models · Assay"])
      expect(await page.evaluate(`localStorage.getItem("assay.followed")`)).toBeNull()
      // Nobody asked for this one.
      const silent = await launch()
      await console.client.evaluation.jobs.cancel(silent.id)
      await page.goto(`/jobs/${silent.id}`)
      await page.getByText("CANCELLED", { exact: true }).waitFor()
      expect(await read("shown")).toBe(`CANCELLED: announced ${id};`)
      await expectSound(opened)
      expect(faults).toEqual([])
    },
  )
})
