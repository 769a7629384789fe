import { AssayError } from "@assay/schemas"
import { expect, it } from "vitest"
import { createCheckRun } from "./check-run.ts"

const tooSlow = () => new AssayError("request_timeout", "It was too slow; try later.")

it("A check that throws has failed, with the words of the catalogue", async () => {
  const run = createCheckRun(1000, new AbortController().signal)
  const work = () => Promise.reject(new AssayError("disk_full", "No space"))
  expect(await run.run("results", work, tooSlow)).toMatchObject({
    failed: { check: "results", code: "disk_full", message: "No space", remedy: expect.stringContaining("Free") },
  })
  expect(await run.run("results", () => Promise.reject(new Error("fault")), tooSlow)).toMatchObject({
    failed: { code: "internal" },
  })
})

it("A failed check has the advice for its case", async () => {
  const run = createCheckRun(1000, new AbortController().signal)
  const context = { retry_after_ms: 1500 }
  const work = () => Promise.reject(new AssayError("rate_limited", "Slower", { context }))
  const outcome = await run.run("endpoint", work, tooSlow)
  expect(outcome).toMatchObject({ failed: { remedy: "The endpoint asks for a pause of 2 s." } })
})

it("A check that ignores its signal ends at its limit", async () => {
  const run = createCheckRun(20, new AbortController().signal)
  const outcome = await run.run("endpoint", () => new Promise(() => {}), tooSlow)
  expect(outcome).toMatchObject({ failed: { code: "request_timeout" } })
})

it("A launch that is aborted has no failed checks", async () => {
  const launch = new AbortController()
  const run = createCheckRun(1000, launch.signal)
  const running = run.run("endpoint", () => new Promise(() => launch.abort(new Error("gone"))), tooSlow)
  await expect(running).rejects.toThrow("gone")
})
