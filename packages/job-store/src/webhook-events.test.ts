import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Registry } from "./testing/test-registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"

describe.each(DATABASE_KINDS)("the ends of jobs for webhooks on %s", (kind) => {
  let test: TestRegistry
  let here: Registry
  let there: Registry
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    here = test.registry
    there = await test.openAnother()
  })
  afterAll(() => test.remove())

  async function endJob(): Promise<string> {
    const { id } = await here.jobs.create(JOB)
    await here.jobs.cancel(id)
    return id
  }

  it("are noted only while a server sends them", verifies("webhooks.outbox"), async () => {
    await endJob()
    await there.webhookEvents.announce()
    expect(await here.webhookEvents.take()).toBeUndefined()
    const id = await endJob()
    const event = await here.webhookEvents.take()
    expect(event).toMatchObject({
      id: expect.stringMatching(new RegExp(`^msg_${id}_\\d+$`)),
      job: id,
      tries: 1,
      ended: {
        workspace: "default",
        status: "CANCELLED",
        message: "Cancelled before it began.",
        attempt: 1,
        gates: [],
      },
    })
    if (event !== undefined) await here.webhookEvents.remove(event)
    await test.pass(2 * 86_400_000)
    await endJob()
    expect(await here.webhookEvents.take()).toBeUndefined()
  })

  it(
    "are taken by one server at a time, and by another one if that one is lost",
    verifies("webhooks.outbox"),
    async () => {
      await here.webhookEvents.announce()
      const ids = [await endJob(), await endJob(), await endJob()]
      const servers = [here, there, here, there, here]
      const taken = (await Promise.all(servers.map(({ webhookEvents }) => webhookEvents.take()))).filter(
        (one) => one !== undefined,
      )
      const more = (await Array.fromAsync(servers, ({ webhookEvents }) => webhookEvents.take())).filter(
        (one) => one !== undefined,
      )
      expect([...taken, ...more].map(({ job }) => job).toSorted()).toEqual(ids.toSorted())
      await test.pass(121_000)
      const again = await there.webhookEvents.take()
      expect(again?.tries).toBe(2)
      // The lost server returns: it removes nothing that another server has taken.
      if (again !== undefined) await here.webhookEvents.remove({ ...again, tries: 1 })
      if (again !== undefined) await there.webhookEvents.postpone(again, 5000)
      const left = [await here.webhookEvents.take(), await here.webhookEvents.take(), await here.webhookEvents.take()]
      expect(left.map((one) => one?.tries)).toEqual([2, 2, undefined])
      for (const one of left) if (one !== undefined) await here.webhookEvents.remove(one)
      await test.pass(5001)
      expect(await here.webhookEvents.take()).toMatchObject({ id: again?.id, tries: 3 })
    },
  )
})
