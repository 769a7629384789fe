import { verifies } from "@assay/testkit"
import type { Registry } from "@assay/registry"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openSharedJobs, type SharedJobs } from "../testing/open-shared-jobs.ts"
import type { MessageHandler } from "./deliver-messages.ts"
import { createQueueBell } from "./queue-bell.ts"
import { createShardSender, deliverShards, type ShardMessage } from "./shard-queue.ts"

/** Much longer than a test: whatever arrives was not found by a look. */
const POLL_MS = 600_000
const DEADLINE = { timeout: 20_000, interval: 5 }

function bellOf({ sharedDatabase }: Registry) {
  if (sharedDatabase === undefined) throw new Error("The database belongs to one server.")
  return createQueueBell(sharedDatabase)
}

describe("The bell of a queue", () => {
  let test: SharedJobs
  const closers: (() => Promise<void>)[] = []
  beforeEach(async () => {
    test = await openSharedJobs()
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
    await test[Symbol.asyncDispose]()
  })

  async function startWorker(handler: MessageHandler<ShardMessage>) {
    const registry = await test.openAnother()
    const { promise: hears, resolve } = Promise.withResolvers<void>()
    const bell = bellOf(registry)
    const delivery = deliverShards(await test.openBoss(registry), {
      handler,
      concurrency: 1,
      bell: {
        ...bell,
        listen: (queue, listener) =>
          bell.listen(queue, {
            ...listener,
            onHearing(isHearing) {
              listener.onHearing(isHearing)
              if (isHearing) resolve()
            },
          }),
      },
      onLost: async () => undefined,
      onError: (error) => expect.unreachable(String(error)),
      pollMs: POLL_MS,
    })
    closers.push(() => delivery.close())
    await hears
    return delivery
  }

  it("brings shards to a worker that looks rarely", verifies("shards.leases"), async () => {
    const handled: number[] = []
    await startWorker(async ({ shard }) => (handled.push(shard), "done"))
    const sender = createShardSender(test.boss, bellOf(test.registry))
    await sender.send({ id: "a", workspace: "one" }, { opening: 1, shards: [0, 1, 2], peers: 1 })
    await expect.poll(() => handled, DEADLINE).toEqual([0, 1, 2])
  })

  it("brings a shard that a worker gives back to another one", async () => {
    const taken = Promise.withResolvers<void>()
    const first = await startWorker((_message, _claim) => taken.promise.then(() => "given back"))
    const sender = createShardSender(test.boss, bellOf(test.registry))
    await sender.send({ id: "a", workspace: "one" }, { opening: 1, shards: [0], peers: 1 })
    const states = async () =>
      (await test.registry.sharedDatabase?.executeSql("select state from pgboss.job where name = 'assay-shards'"))?.rows
    await expect.poll(states, DEADLINE).toEqual([{ state: "active" }])
    const handled: number[] = []
    await startWorker(async ({ shard }) => (handled.push(shard), "done"))
    const closed = first.close()
    taken.resolve()
    await closed
    await expect.poll(() => handled, DEADLINE).toEqual([0])
  })
})
