import { setTimeout as wait } from "node:timers/promises"
import { createInferenceClient } from "@assay/inference"
import type { Registry } from "@assay/registry"
import {
  createDatabase,
  type FakeInference,
  type FakeModel,
  type PostgresServer,
  startFakeInference,
  startPostgres,
  verifies,
} from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type JobRegistry, openJobRegistry } from "@assay/evaluation/testing"
import { paceInference } from "./pace-inference.ts"

const [LIMIT, IN_FLIGHT] = [50, 24]
const BURST_MS = 200

let postgres: PostgresServer
let test: JobRegistry
let fake: FakeInference
let refusals: number[]
beforeAll(async () => {
  refusals = []
  const taken: number[] = []
  const limited: FakeModel = () => {
    const now = performance.now()
    while ((taken[0] ?? Infinity) <= now - 1000) taken.shift()
    if (taken.length < LIMIT) {
      taken.push(now)
      return { content: "yes" }
    }
    refusals.push(now)
    return { fault: { kind: "condition", condition: "rate-limited" } }
  }
  postgres = await startPostgres()
  test = await openJobRegistry(await createDatabase(postgres.url))
  fake = await startFakeInference({ models: { limited }, latencyMs: 50, record: false })
}, 30_000)
afterAll(async () => {
  await fake.close()
  await test[Symbol.asyncDispose]()
  await postgres.stop()
})

/** Asks without a pause, like a worker with a registry of its own, until the signal. */
async function ask({ endpointPaces }: Registry, signal: AbortSignal, held: number[]): Promise<void> {
  const sleep = (milliseconds: number, abort?: AbortSignal) =>
    wait(milliseconds, undefined, abort === undefined ? {} : { signal: abort })
  const context = { now: () => performance.now(), random: Math.random, sleep }
  const log = { info: () => {}, warn: () => void held.push(performance.now()) }
  const inference = await paceInference(async () => context, log, endpointPaces).open()
  const client = createInferenceClient({ url: `${fake.url}/v1`, model: "limited", apiKey: "key" }, inference)
  const question = { messages: [{ role: "user" as const, content: "Is it?" }] }
  const askRepeatedly = async () => {
    while (!signal.aborted) await client.complete(question, { signal, maxRateLimitWaitMs: 60_000 }).catch(() => {})
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, askRepeatedly))
  await client.close()
}

it(
  "A worker that joins others on PostgreSQL keeps to the rate that they have found, without a burst",
  verifies("paces.join"),
  async () => {
    const stop = new AbortController()
    const held: [number[], number[]] = [[], []]
    const first = ask(test.registry, stop.signal, held[0])
    await expect.poll(() => held[0].length, { timeout: 10_000 }).toBe(1)
    // The first refusal pauses the endpoint for a second.
    await wait(1500)
    const joinedAt = performance.now()
    const second = ask(await test.openAnother(), stop.signal, held[1])
    // It knows the limit before its first request.
    await expect.poll(() => held[1].length, { timeout: 10_000 }).toBe(1)
    await wait(1500)
    stop.abort()
    await Promise.all([first, second])
    // A burst would be a refusal of nearly all requests in flight at once. Single ones show that the limit has not risen.
    const later = refusals.filter((at) => at > joinedAt)
    const together = later.map((since) => later.filter((at) => at >= since && at < since + BURST_MS).length)
    expect(Math.max(0, ...together)).toBeLessThan(IN_FLIGHT / 2)
  },
)
