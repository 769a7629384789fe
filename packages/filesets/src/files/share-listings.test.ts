import { setImmediate as nextTurn } from "node:timers/promises"
import type { FileInfo } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { createListings, type FileBatches, type FileListing, type Listings } from "./share-listings.ts"

const fileOf = (path: number) => ({ path: String(path).padStart(3, "0") }) as FileInfo
const jsonOfAll = (count: number) => Array.from({ length: count }, (_, path) => JSON.stringify(fileOf(path)))

/** Files 0 to 39 in batches of one, and the requests to them. */
function createFiles() {
  const began: (string | undefined)[] = []
  const signals: (AbortSignal | undefined)[] = []
  let running = 0
  let mostRunning = 0
  let ended = 0
  let read = 0
  async function* list(after: string | undefined, signal: AbortSignal | undefined): FileBatches {
    began.push(after)
    signals.push(signal)
    try {
      for (let path = after === undefined ? 0 : Number(after) + 1; path < 40; path += 1) {
        running += 1
        mostRunning = Math.max(mostRunning, running)
        await nextTurn()
        running -= 1
        read += 1
        yield [fileOf(path)]
      }
      return "token"
    } finally {
      ended += 1
    }
  }
  return { list, began, signals, counts: () => ({ mostRunning, ended, read }) }
}

const share = (listings: Listings, { list }: ReturnType<typeof createFiles>, key = "all", signal?: AbortSignal) =>
  listings.share({ key, list, signal })

/** Reads batches to the end, at most `count`. */
async function take(listing: FileListing, count = Infinity) {
  const batches: string[] = []
  while (batches.length < count) {
    const { done, value } = await listing.next()
    if (done === true) return { batches, token: value }
    batches.push(value)
  }
  return { batches, token: undefined }
}

describe("listings of the files on a disk", () => {
  it("are read once for equal requests that came before the first batch, and anew for later ones", async () => {
    const files = createFiles()
    const listings = createListings()
    const [one, two] = [share(listings, files), share(listings, files)]
    const first = [take(one), take(two)]
    const [another] = [take(share(listings, files, "other"))]
    await nextTurn()
    await nextTurn()
    const later = take(share(listings, files))
    const expected = { batches: jsonOfAll(40), token: "token" }
    expect(await Promise.all([...first, another, later])).toEqual([expected, expected, expected, expected])
    expect(files.began).toEqual([undefined, undefined, undefined])
    expect(files.counts()).toEqual({ mostRunning: 2, ended: 3, read: 120 })
  })

  it("do not wait for a slow reader, which continues with a listing of its own", async () => {
    const files = createFiles()
    const listings = createListings()
    const [fast, slow] = [share(listings, files), share(listings, files)]
    const [begun] = await Promise.all([take(slow, 2), take(fast)])
    expect(files.began).toEqual([undefined])
    const rest = await take(slow)
    expect([...begun.batches, ...rest.batches]).toEqual(jsonOfAll(40))
    expect(rest.token).toBe("token")
    expect(files.began).toEqual([undefined, "001"])
  })

  it("end when all readers have left or are too slow, and begin anew for the next one", async () => {
    const files = createFiles()
    const listings = createListings()
    const [one, two] = [share(listings, files), share(listings, files)]
    await Promise.all([take(one, 3), take(two, 3)])
    await one.return(undefined)
    expect(files.signals[0]?.aborted).toBe(false)
    await two.return(undefined)
    await expect.poll(() => files.counts().ended).toBe(1)
    expect(files.signals[0]?.aborted).toBe(true)
    expect(files.counts().read).toBeLessThan(6)
    expect((await take(share(listings, files))).batches).toHaveLength(40)
    const [slow, fast] = [share(listings, files), share(listings, files)]
    await Promise.all([take(slow, 1), take(fast, 10)])
    await fast.return(undefined)
    await expect.poll(() => files.counts().ended).toBe(3)
    expect((await take(slow)).batches).toHaveLength(39)
  })

  it("end for a reader whose request was aborted, and fail for all readers together", async () => {
    const files = createFiles()
    const listings = createListings()
    const leaving = new AbortController()
    const [one, two] = [share(listings, files, "all", leaving.signal), share(listings, files)]
    await Promise.all([take(one, 1), take(two, 1)])
    leaving.abort(new Error("The client has left."))
    await expect(one.next()).rejects.toThrow("The client has left.")
    expect((await take(two)).batches).toHaveLength(39)
    const failing = () =>
      listings.share({
        key: "failing",
        // oxlint-disable-next-line require-yield -- it fails before its first batch
        async *list() {
          throw new Error("The disk failed.")
        },
      })
    const results = await Promise.allSettled([take(failing()), take(failing())])
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  })
})
