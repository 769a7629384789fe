import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openRegistry, type Registry } from "@assay/registry"
import { createTransport } from "@assay/storage"
import { afterAll, beforeAll, expect, it } from "vitest"
import { CHECK, GIVEN } from "../../testing/evaluation-bodies.ts"
import { followEvents } from "./follow-events.ts"

let folder: string
let registry: Registry
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-events-"))
  registry = await openRegistry({
    database: { kind: "sqlite", file: join(folder, "assay.db") },
    defaultStorage: { type: "local", path: join(folder, "storage") },
    allowedLocalRoots: [],
    encryptionKeys: [{ name: "first", key: new Uint8Array(32) }],
    now: Date.now,
    newId: (prefix) => `${prefix}-${randomUUID()}`,
    randomBytes,
    transport: createTransport({ firstByteMs: 5000, idleMs: 5000 }),
    random: Math.random,
    sleep: () => Promise.resolve(),
  })
})
afterAll(async () => {
  await registry.close()
  await rm(folder, { recursive: true, force: true })
})

/** A job that nobody runs. */
async function create(): Promise<string> {
  const { id } = await registry.jobs.create({ namespace: "default", target: GIVEN, config: CHECK })
  return id
}
const follow = (id: string, signal = new AbortController().signal) =>
  followEvents(registry.jobs, id, { after: 0, signal, heartbeatMs: 1 })[Symbol.asyncIterator]()

it("tells that somebody is there in a long silence, and ends with the job [eval.events]", async () => {
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
