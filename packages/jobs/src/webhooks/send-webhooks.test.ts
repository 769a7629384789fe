import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { openRegistry, type Registry } from "@assay/registry"
import { createTransport } from "@assay/storage"
import { startLoopbackServer, verifies, type LoopbackServer } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openWebhooks } from "./open-webhooks.ts"
import { signWebhook } from "./sign-webhook.ts"

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

describe("the sender of webhooks", () => {
  let folder: string
  let registry: Registry
  let receiver: LoopbackServer
  let statuses: number[]
  const clock = { time: Date.UTC(2026, 10, 20) }
  const log: string[] = []
  beforeEach(async () => {
    log.length = 0
    statuses = []
    folder = await mkdtemp(join(tmpdir(), "assay-webhooks-"))
    registry = await openRegistry({
      database: { kind: "sqlite", file: join(folder, "assay.db") },
      defaultStorage: { type: "local", path: join(folder, "storage") },
      allowedLocalRoots: [],
      encryptionKeys: [{ name: "first", key: new Uint8Array(32) }],
      now: () => clock.time,
      newId: (prefix) => `${prefix}-${randomUUID()}`,
      randomBytes,
      transport: createTransport(),
      random: Math.random,
      sleep: () => Promise.resolve(),
    })
    receiver = await startLoopbackServer((_request, response) => {
      response.writeHead(statuses.shift() ?? 204, { "retry-after": "7" }).end()
    })
  })
  afterEach(async () => {
    await registry.close()
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Starts a sender. Its waits only advance the clock, by more than it asks. */
  const start = (url = receiver.url, factor = 3) =>
    openWebhooks({
      template: "event",
      events: registry.webhookEvents,
      jobs: registry.jobs,
      secrets: [SECRET],
      publicUrl: "https://assay.example",
      post: async (body, headers, signal) => {
        const sent = await fetch(url, { method: "POST", body, headers, signal, redirect: "manual" }).catch(
          () => undefined,
        )
        if (sent === undefined) return { failure: "no connection" }
        return { status: sent.status, retryAfterMs: Number(sent.headers.get("retry-after")) * 1000 }
      },
      now: () => clock.time,
      random: () => 1,
      sleep: async (ms) => {
        clock.time += ms * factor
        await setImmediate()
      },
      log: {
        info: (about, text) => log.push(JSON.stringify({ ...about, text })),
        warn: (about, text) => log.push(JSON.stringify({ ...about, text })),
      },
    })

  async function endJob(): Promise<string> {
    const target = { type: "rows" as const, rows: [{ said: "a", response: "a" }] }
    const { id } = await registry.jobs.create({
      namespace: "default",
      target,
      config: { type: "custom", name: "qa", tasks: {} },
    })
    await registry.jobs.cancel(id)
    return id
  }

  async function until(isDone: () => boolean): Promise<void> {
    await expect.poll(() => isDone() || log, { interval: 1 }).toBe(true)
  }

  it(
    "signs the end of a job, and sends it again with the same id until the receiver has it",
    verifies("webhooks.retries", "webhooks.signature"),
    async () => {
      statuses = [500, 302, 429]
      await registry.webhookEvents.announce()
      const id = await endJob()
      const started = clock.time
      const sender = await start()
      await until(() => log.some((line) => line.includes("webhook delivered")))
      await sender.close()
      expect(receiver.requests).toHaveLength(4)
      // 5 s, 10 s and 20 s, of which the receiver asked for at least 7 s.
      expect(clock.time - started).toBeGreaterThanOrEqual(37_000)
      expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
      for (const { headers, body } of receiver.requests) {
        const content = {
          id: String(headers["webhook-id"]),
          timestamp: Number(headers["webhook-timestamp"]),
          body: body.toString(),
        }
        expect(headers["webhook-signature"]).toBe(signWebhook(content, [SECRET])["webhook-signature"])
      }
      expect(JSON.parse(receiver.requests[0]?.body.toString() ?? "")).toMatchObject({
        type: "evaluation.job.ended",
        data: {
          workspace: "default",
          job: id,
          name: "qa",
          status: "CANCELLED",
          verdict: null,
          scores: [],
          url: `https://assay.example/jobs/${id}`,
        },
      })
      expect(log.join("\n")).not.toMatch(/whsec_|127\.0\.0\.1/)
      expect(log[0]).toContain("the receiver answered 500")
    },
  )

  it(
    "continues after a restart, and gives up after a day or if the receiver wants no more",
    verifies("webhooks.retries", "webhooks.outbox"),
    async () => {
      const first = await start("http://127.0.0.1:1")
      await registry.webhookEvents.announce()
      await endJob()
      await until(() => log.length > 1)
      await first.close()
      const second = await start()
      await until(() => log.some((line) => line.includes("webhook delivered")))
      await second.close()
      expect(receiver.requests).toHaveLength(1)
      statuses = [410]
      const third = await start()
      await endJob()
      await until(() => log.some((line) => line.includes("given up")))
      await third.close()
      log.length = 0
      const fourth = await start("http://127.0.0.1:1", 1200)
      await endJob()
      await until(() => log.some((line) => line.includes("given up")))
      await fourth.close()
      expect(log.length).toBeLessThan(60)
      expect(await registry.webhookEvents.take()).toBeUndefined()
    },
  )
})
