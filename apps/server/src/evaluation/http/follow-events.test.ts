import type { Registry } from "@assay/registry"
import { verifies } from "@assay/testkit/verifies"
import { afterAll, beforeAll, expect, it } from "vitest"
import { CHECK, GIVEN } from "../../testing/evaluation-bodies.ts"
import { openTestRegistry, type TestRegistry } from "../../testing/open-test-registry.ts"
import { followEvents } from "./follow-events.ts"

let test: TestRegistry
let registry: Registry
beforeAll(async () => {
  test = await openTestRegistry()
  registry = test.registry
})
afterAll(() => test[Symbol.asyncDispose]())

/** A job that nobody runs. */
async function create(): Promise<string> {
  const { id } = await registry.jobs.create({ namespace: "default", target: GIVEN, config: CHECK })
  return id
}
const follow = (id: string, signal = new AbortController().signal) =>
  followEvents(registry.jobs, id, { after: 0, signal, heartbeatMs: 1 })[Symbol.asyncIterator]()

it("tells that somebody is there in a long silence, and ends with the job", verifies("eval.events"), async () => {
  const id = await create()
  const events = follow(id)
  expect((await events.next()).value).toMatchObject({ kind: "status", data: { status: "PENDING" } })
  expect(await events.next()).toEqual({ value: undefined, done: false })
  await registry.jobs.cancel(id)
  const rest = await Array.fromAsync(events)
  expect(rest.filter((event) => event !== undefined)).toMatchObject([{ data: { status: "CANCELLED" } }])
})

it("ends where nobody listens any more, and where the job is deleted", async () => {
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
