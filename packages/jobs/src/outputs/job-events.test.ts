import type { Registry } from "@assay/registry"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type JobRegistry, openJobRegistry } from "@assay/evaluation/testing"
import { followEvents, jobLog } from "./job-events.ts"

let test: JobRegistry
let registry: Registry
beforeAll(async () => {
  test = await openJobRegistry()
  registry = test.registry
})
afterAll(() => test[Symbol.asyncDispose]())

/** Creates a job that no runner executes. */
async function create(): Promise<string> {
  const { id } = await registry.jobs.create({
    namespace: "default",
    target: { type: "rows" },
    config: { type: "custom" },
  })
  return id
}
const follow = (id: string, signal = new AbortController().signal) =>
  followEvents(registry.jobs, id, { after: 0, signal, heartbeatMs: 1 })[Symbol.asyncIterator]()

it("Events of a job have a heartbeat in a long silence, and end with the job", verifies("eval.events"), async () => {
  const id = await create()
  const events = follow(id)
  expect((await events.next()).value).toMatchObject({ kind: "status", data: { status: "PENDING" } })
  expect(await events.next()).toEqual({ value: undefined, done: false })
  await registry.jobs.cancel(id)
  const rest = await Array.fromAsync(events)
  expect(rest.filter((event) => event !== undefined)).toMatchObject([{ data: { status: "CANCELLED" } }])
})

it("Events of a job end when the reader leaves, and when the job is deleted", async () => {
  const leaving = new AbortController()
  const left = follow(await create(), leaving.signal)
  await left.next()
  leaving.abort()
  expect((await left.next()).done).toBe(true)
  const gone = await create()
  await registry.jobs.cancel(gone)
  await registry.jobs.remove(gone)
  expect((await follow(gone).next()).done).toBe(true)
})

it("The log of a job shows control characters of messages as ⟨U+202E⟩", verifies("results.logs.controls"), async () => {
  const message = "the model said \u001B]52;c;Ym9v\u0007\u009B2J\u202E\r\nnext\rline"
  const event = {
    kind: "log",
    data: { level: "warn", message },
    seq: 1,
    created_at: "2026-11-22T10:00:00.000Z",
  } as const
  const jobs = {
    get: () => Promise.reject(new Error("The job is not read.")),
    watch: () => {
      throw new Error("The job is not followed.")
    },
    listEvents: async (_id: string, after: number) => (after === 0 ? [event] : []),
  }
  const { signal } = new AbortController()
  let text = ""
  for await (const lines of jobLog(jobs, "job", { tail: undefined, isFollowed: false, signal })) text += lines
  expect(text).toBe(
    "2026-11-22T10:00:00.000Z WARN  the model said ⟨U+001B⟩]52;c;Ym9v⟨U+0007⟩⟨U+009B⟩2J⟨U+202E⟩\n    next⟨U+000D⟩line\n",
  )
})
