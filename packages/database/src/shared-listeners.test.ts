import { afterAll, beforeAll, expect, it } from "vitest"
import type { NoticeListener } from "./notices.ts"
import { listeningConnections } from "./testing/listening-connections.ts"
import { createTestServer, type TestServer } from "./testing/test-server.ts"

let test: TestServer
beforeAll(async () => {
  test = await createTestServer("postgres")
})
afterAll(() => test.remove())

const countConnections = async () => (await listeningConnections(test.database).list()).length

/** A listener that notes what it hears. */
function createEar() {
  const heard: string[] = []
  const hearing = Promise.withResolvers<void>()
  const listener: NoticeListener = {
    onNotice: (text) => void heard.push(text),
    onHearing: (isHearing) => isHearing && hearing.resolve(),
  }
  return { heard, hears: hearing.promise, listener }
}

it("Listeners of a server share a connection, which is open while there is one", async () => {
  const { shared: sharedDatabase } = await test.openTables()
  if (sharedDatabase === undefined) throw new Error("This needs PostgreSQL.")
  const [first, second] = [createEar(), createEar()]
  const stopFirst = sharedDatabase.listen(first.listener)
  await first.hears
  // It knows at once that notices arrive.
  const stopSecond = sharedDatabase.listen(second.listener)
  await second.hears
  await sharedDatabase.notify("one")
  await expect.poll(() => [first.heard, second.heard]).toEqual([["one"], ["one"]])
  expect(await countConnections()).toBe(1)
  await stopFirst()
  await stopFirst()
  await sharedDatabase.notify("two")
  await expect.poll(() => second.heard).toEqual(["one", "two"])
  expect(first.heard).toEqual(["one"])
  await stopSecond()
  await expect.poll(countConnections).toBe(0)
  const third = createEar()
  const stopThird = sharedDatabase.listen(third.listener)
  await third.hears
  await stopThird()
})
