import { Readable } from "node:stream"
import { startFakeObjstore } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { Transport } from "@assay/http"
import { createTransport } from "@assay/http/node"
import { codeOf, listPaths } from "../testing/ask.ts"
import { openTestObjstore } from "../testing/open-test-objstore.ts"

function pathsTo(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `file-${String(index).padStart(5, "0")}`)
}

/** Creates a transport that changes the documents in a store's responses. */
function changing(change: (document: string) => string): Transport {
  const transport = createTransport()
  return async (request, signal) => {
    const { body, ...answer } = await transport(request, signal)
    const pieces = (await body.toArray()) as Uint8Array[]
    const document = change(Buffer.concat(pieces).toString())
    return { ...answer, body: Readable.from([Buffer.from(document)]) }
  }
}

describe("a listing of a bucket", () => {
  it("leaves out objects that represent folders or have no valid path", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore(), { prefix: "set" })
    for (const key of ["set/", "set/a/", "set/a//b", "set/./c", "set/d\\e", "set//f", "set/g", "set/a/h"])
      store.write(key, "x")
    expect(await listPaths(storage)).toEqual(["a/h", "g"])
    expect(await listPaths(storage, { prefix: "a" })).toEqual(["a/h"])
  })

  it("contains a file and those below a folder of the same name", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    for (const key of ["a", "a-b", "a/b", "ab"]) store.write(key, "x")
    expect(await listPaths(storage, { prefix: "a" })).toEqual(["a", "a/b"])
    expect(await listPaths(storage, { prefix: "a/" })).toEqual(["a/b"])
    expect(await listPaths(storage, { prefix: "a", after: "a" })).toEqual(["a/b"])
  })

  it("requests one page ahead and no more", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    for (const path of pathsTo(3500)) store.write(path, "x")
    const listing = storage.list()[Symbol.asyncIterator]()
    await listing.next()
    await expect.poll(() => store.requests).toHaveLength(2)
    await listing.return?.()
    expect(store.requests).toHaveLength(2)
    expect(await listPaths(storage)).toEqual(pathsTo(3500))
    expect(store.requests).toHaveLength(6)
  })

  it("aborts the request for the next page when the reader stops", async () => {
    const { store, storage, running } = await openTestObjstore(startFakeObjstore())
    for (const path of pathsTo(1200)) store.write(path, "x")
    store.faults.add({ when: ({ url }) => url.includes("continuation-token"), fault: { kind: "stall" } })
    const listing = storage.list()[Symbol.asyncIterator]()
    await listing.next()
    await expect.poll(() => store.requests).toHaveLength(2)
    expect(running()).toBe(1)
    await listing.return?.()
    await expect.poll(running).toBe(0)
  })

  it("requests a page again that breaks off", async () => {
    const { store, storage, waits } = await openTestObjstore(startFakeObjstore())
    for (const path of pathsTo(1200)) store.write(path, "x")
    const isSecond = ({ url }: { url: string }) => url.includes("continuation-token")
    store.faults.add({ when: (request) => !isSecond(request), fault: { kind: "cut", after: 5000 }, times: 1 })
    store.faults.add({ when: isSecond, fault: { kind: "end-early", after: 5000 }, times: 1 })
    expect(await listPaths(storage)).toEqual(pathsTo(1200))
    expect(waits).toHaveLength(2)
  })

  it("fails if pages keep breaking off", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    for (const path of pathsTo(100)) store.write(path, "x")
    store.faults.add({ fault: { kind: "end-early", after: 5000 } })
    await expect(listPaths(storage)).rejects.toThrow("its answer broke off 4 times")
  })

  it("aborts its requests when its signal is aborted", async () => {
    const { store, storage, running } = await openTestObjstore(startFakeObjstore())
    store.faults.add({ fault: { kind: "stall" } })
    const aborting = new AbortController()
    const listing = listPaths(storage, { prefix: "a", signal: aborting.signal })
    await expect.poll(running).toBe(2)
    aborting.abort(new Error("enough"))
    await expect(listing).rejects.toThrow("enough")
    await expect.poll(running).toBe(0)
  })

  it.each<[string, string, (document: string) => string]>([
    ["is the page of another program", "does not come from an object store", () => "<html>Welcome</html>"],
    ["lists files that were not requested", "files that were not requested", (text) => text.replace("set/b", "let/b")],
    ["is out of order", "out of order", (text) => text.replace("set/b", "set/B")],
    ["has more without saying where", "not where", (text) => text.replace("<IsTruncated>false", "<IsTruncated>true")],
  ])("fails if a response %s", async (_title, message, change) => {
    const { store, storage } = await openTestObjstore(startFakeObjstore(), {
      prefix: "set",
      remote: { transport: changing(change) },
    })
    for (const key of ["set/a", "set/b", "set/c"]) store.write(key, "x")
    await expect(listPaths(storage)).rejects.toThrow(message)
    expect(await codeOf(listPaths(storage))).toBe("upstream_failed")
  })

  it("supports a store that does not encode keys", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore(), {
      remote: {
        transport: changing((text) =>
          text.replace("<EncodingType>url</EncodingType>", "").replace("q", "a+b &amp; c%41"),
        ),
      },
    })
    store.write("q", "x")
    expect(await listPaths(storage)).toEqual(["a+b & c%41"])
  })
})
