import { expect, it } from "vitest"
import { shareReads } from "./share-reads.ts"

it("shareReads reads once for the calls of one turn with the same arguments, and again for later calls", async () => {
  const reads: string[] = []
  const read = shareReads(async (id: string, after: number) => {
    reads.push(`${id} ${after}`)
    return { id }
  })
  const [one, two, three] = await Promise.all([read("a", 1), read("a", 1), read("a", 2)])
  expect([one === two, one === three, reads]).toEqual([true, false, ["a 1", "a 2"]])
  await read("a", 1)
  expect(reads).toHaveLength(3)
})

it("shareReads begins a read after the turn, also while an earlier one runs", async () => {
  let value = 0
  const read = shareReads(async (_id: string) => value)
  const first = read("a")
  value = 1
  expect(await first).toBe(1)
  const earlier = read("a")
  await new Promise((resolve) => setImmediate(resolve))
  value = 2
  const later = read("a")
  expect(await Promise.all([earlier, later])).toEqual([1, 2])
})

it("shareReads fails all callers if the read fails, and reads again for the next one", async () => {
  const failures = [new Error("The connection has ended.")]
  const read = shareReads(async (_id: string) => {
    const failure = failures.pop()
    if (failure !== undefined) throw failure
    return "read"
  })
  const results = await Promise.allSettled([read("a"), read("a")])
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  expect(await read("a")).toBe("read")
})
