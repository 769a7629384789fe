import type { Registry } from "@assay/registry"
import { verifies } from "@assay/testkit/verifies"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openJobRegistry, type JobRegistry } from "../testing/open-job-registry.ts"
import { followEvents } from "./follow-events.ts"

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
