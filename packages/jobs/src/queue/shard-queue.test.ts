import { setTimeout } from "node:timers/promises"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openSharedJobs, type SharedJobs } from "../testing/open-shared-jobs.ts"
import type { MessageHandler } from "./deliver-messages.ts"
import { SHARDS } from "./open-boss.ts"
import {
  createShardSender,
  deliverShards,
  type ShardDeliveryOptions,
  type ShardMessage,
  type ShardSender,
} from "./shard-queue.ts"

const DEADLINE = { timeout: 20_000, interval: 5 }
const numbers = (count: number) => Array.from({ length: count }, (_, shard) => shard)
const keyOf = ({ jobId, shard }: ShardMessage) => `${jobId}${shard}`

interface Settings {
  readonly concurrency?: number
  readonly maxPerWorkspace?: number
  readonly handler?: MessageHandler<ShardMessage>
}

describe("the queue of shards", () => {
  let test: SharedJobs
  let sender: ShardSender
  let handled: string[]
  let running: Map<string, { readonly end: (outcome: "done" | "given back") => void; readonly claim: AbortSignal }>
  let lost: ShardMessage[]
  let isOver: boolean
  /** Decides what is sent again of a lost shard. */
  let again: ShardDeliveryOptions["onLost"]
  const errors: unknown[] = []
  const closers: (() => Promise<void>)[] = []
  beforeEach(async () => {
    test = await openSharedJobs()
    sender = createShardSender(test.boss)
    handled = []
    running = new Map()
    lost = []
    isOver = false
    again = async () => undefined
  })
  afterEach(async () => {
    isOver = true
    for (const { end } of running.values()) end("done")
    for (const close of closers.splice(0)) await close()
    await test[Symbol.asyncDispose]()
  })

  /** Keeps a shard until the test ends it. */
  const keep: MessageHandler<ShardMessage> = (message, claim) =>
    new Promise((end) => {
      handled.push(keyOf(message))
      running.set(keyOf(message), { end, claim })
      if (isOver) end("done")
    })
  const note: MessageHandler<ShardMessage> = async (message) => (handled.push(keyOf(message)), "done")

  async function startWorker({ concurrency = 1, maxPerWorkspace, handler = keep }: Settings = {}) {
    const boss = await test.openBoss(test.registry)
    const delivery = deliverShards(boss, {
      handler,
      concurrency,
      maxPerWorkspace,
      onLost: async (message) => {
        lost.push(message)
        return again(message)
      },
      onError: (error) => errors.push(error),
      pollMs: 20,
    })
    closers.push(() => delivery.close())
    return delivery
  }

  const send = (id: string, workspace: string, count: number, peers = 1) =>
    sender.send({ id, workspace }, { opening: 1, shards: numbers(count), peers })
  const until = (count: number) => expect.poll(() => handled.length, DEADLINE).toBe(count)
  /** Lets the last heartbeat of the messages that are delivered be too long ago. */
  const loseClaims = () =>
    test.registry.sharedDatabase?.executeSql(
      "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where name = $1 and state = 'active'",
      [SHARDS],
    )

  it("delivers each shard once, in the order of its job", verifies("shards.leases"), async () => {
    await send("a", "one", 5)
    await send("a", "one", 5)
    await startWorker({ handler: note })
    await until(5)
    await setTimeout(100)
    expect(handled).toEqual(["a0", "a1", "a2", "a3", "a4"])
  })

  it("lets jobs take turns, and each further job of a workspace less often", verifies("shards.turns"), async () => {
    await send("a", "one", 100)
    await startWorker()
    for (const count of numbers(10)) {
      await until(count + 1)
      running.get(handled.at(-1) ?? "")?.end("done")
    }
    await until(11)
    await send("b", "one", 4, 2)
    await send("c", "two", 4)
    for (const count of numbers(12)) {
      running.get(handled.at(-1) ?? "")?.end("done")
      await until(count + 12)
    }
    const order = handled.slice(11)
    const of = (job: string) => order.filter((key) => key.startsWith(job))
    expect(of("c")).toEqual(["c0", "c1", "c2", "c3"])
    // While the other workspace had four turns, the second job of this one had two.
    const when = order.indexOf("c3")
    expect(order.slice(0, when + 1).filter((key) => key.startsWith("b"))).toHaveLength(2)
    expect(order.slice(0, when + 1).filter((key) => key.startsWith("a")).length).toBeGreaterThanOrEqual(3)
  })

  it(
    "delivers as many shards of a workspace as it may run on all workers",
    verifies("shards.workspace-limit"),
    async () => {
      await send("a", "one", 5)
      await send("b", "two", 1)
      const limits = { concurrency: 4, maxPerWorkspace: 2 }
      await startWorker(limits)
      await until(3)
      // Two workers that take a shard in the same moment can exceed the limit by one, so the second one comes later, and is gone when a place gets free.
      const second = await startWorker(limits)
      await setTimeout(100)
      await second.close()
      expect(handled.toSorted()).toEqual(["a0", "a1", "b0"])
      running.get("a0")?.end("done")
      await until(4)
      expect(handled.at(-1)).toBe("a2")
    },
  )

  it(
    "delivers a shard again when its worker is lost, and tells that worker",
    verifies("shards.lost-worker"),
    async () => {
      await send("a", "one", 1)
      await startWorker()
      await until(1)
      const first = running.get("a0")
      await startWorker()
      await loseClaims()
      await test.boss.supervise(SHARDS)
      await until(2)
      await expect.poll(() => first?.claim.aborted, DEADLINE).toBe(true)
      // Later reports of the lost worker change nothing.
      first?.end("done")
      await setTimeout(100)
      const { rows } = (await test.registry.sharedDatabase?.executeSql("select state from pgboss.job where name = $1", [
        SHARDS,
      ])) ?? { rows: [] }
      expect(rows).toEqual([{ state: "active" }])
    },
  )

  it("gives a shard up that six workers in a row were lost with", async () => {
    await send("a", "one", 1)
    const fails: MessageHandler<ShardMessage> = async (message) => {
      handled.push(keyOf(message))
      throw new Error("The worker fails.")
    }
    await startWorker({ handler: fails })
    await expect.poll(() => lost, DEADLINE).toEqual([{ jobId: "a", opening: 1, shard: 0 }])
    expect(handled).toHaveLength(6)
  })

  it("sends a lost shard again as long as workers make progress with it", verifies("shards.progress"), async () => {
    await send("a", "one", 1)
    const fails: MessageHandler<ShardMessage> = async (message) => {
      handled.push(keyOf(message))
      throw new Error("The worker fails.")
    }
    again = async ({ records = 0 }) => (records < 2 ? { workspace: "one", records: records + 1 } : undefined)
    await startWorker({ handler: fails })
    const shard = { jobId: "a", opening: 1, shard: 0 }
    await expect.poll(() => lost, DEADLINE).toEqual([shard, { ...shard, records: 1 }, { ...shard, records: 2 }])
    expect(handled).toHaveLength(18)
  })

  it("does not count workers that give a shard back", async () => {
    await send("a", "one", 1)
    const handler: MessageHandler<ShardMessage> = async (message) => {
      handled.push(keyOf(message))
      return handled.length < 20 ? "given back" : "done"
    }
    await startWorker({ handler })
    await until(20)
    await setTimeout(100)
    expect([handled.length, lost]).toEqual([20, []])
  })

  it("delivers no shard that was withdrawn, and ends the claims on others", verifies("shards.cancel"), async () => {
    await send("a", "one", 3)
    await startWorker()
    await until(1)
    await sender.withdraw("a", { opening: 1, shards: numbers(3) })
    await expect.poll(() => running.get("a0")?.claim.aborted, DEADLINE).toBe(true)
    running.get("a0")?.end("given back")
    await setTimeout(100)
    expect(handled).toEqual(["a0"])
  })
})
