import { Readable } from "node:stream"
import { startFakeObjstore } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { Transport } from "@assay/http"
import { createTransport } from "@assay/http/transport"
import { codeOf, listPaths } from "../testing/ask.ts"
import { openTestObjstore } from "./testing/open-test-objstore.ts"

function pathsTo(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `file-${String(index).padStart(5, "0")}`)
}

/** A transport that changes the documents with which a store answers. */
function changing(change: (document: string) => string): Transport {
  const transport = createTransport()
  return async (request, signal) => {
    const { body, ...answer } = await transport(request, signal)
    const pieces = (await body.toArray()) as Uint8Array[]
    const document = change(Buffer.concat(pieces).toString())
    return { ...answer, body: Readable.from([Buffer.from(document)]) }
  }
}

describe("listing a bucket", () => {
  it("leaves out what stands for a folder and what has no path of a file", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore(), { prefix: "set" })
    for (const key of ["set/", "set/a/", "set/a//b", "set/./c", "set/d\\e", "set//f", "set/g", "set/a/h"])
      store.write(key, "x")
    expect(await listPaths(storage)).toEqual(["a/h", "g"])
    expect(await listPaths(storage, { prefix: "a" })).toEqual(["a/h"])
  })

  it("tells of a file and of those below a folder of the same name", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    for (const key of ["a", "a-b", "a/b", "ab"]) store.write(key, "x")
    expect(await listPaths(storage, { prefix: "a" })).toEqual(["a", "a/b"])
    expect(await listPaths(storage, { prefix: "a/" })).toEqual(["a/b"])
    expect(await listPaths(storage, { prefix: "a", after: "a" })).toEqual(["a/b"])
  })

  it("asks for a page ahead, and for no more than that", async () => {
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

  it("ends the request for the page ahead when it is left", async () => {
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

  it("asks again for a page that breaks off", async () => {
    const { store, storage, waits } = await openTestObjstore(startFakeObjstore())
    for (const path of pathsTo(1200)) store.write(path, "x")
    const isSecond = ({ url }: { url: string }) => url.includes("continuation-token")
    store.faults.add({ when: (request) => !isSecond(request), fault: { kind: "cut", after: 5000 }, times: 1 })
    store.faults.add({ when: isSecond, fault: { kind: "end-early", after: 5000 }, times: 1 })
    expect(await listPaths(storage)).toEqual(pathsTo(1200))
    expect(waits).toHaveLength(2)
  })

  it("fails when pages break off again and again", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    for (const path of pathsTo(100)) store.write(path, "x")
    store.faults.add({ fault: { kind: "end-early", after: 5000 } })
    await expect(listPaths(storage)).rejects.toThrow("its answer broke off 4 times")
  })

  it("ends its requests when it is aborted while one is on its way", async () => {
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
    ["is the page of something else", "no answer of an object store", () => "<html>Welcome</html>"],
    ["lists what was not asked for", "what it was not asked for", (text) => text.replace("set/b", "let/b")],
    ["is out of order", "out of order", (text) => text.replace("set/b", "set/B")],
    ["has more without saying where", "not where", (text) => text.replace("<IsTruncated>false", "<IsTruncated>true")],
  ])("fails when an answer %s", async (_title, message, change) => {
    const { store, storage } = await openTestObjstore(startFakeObjstore(), {
      prefix: "set",
      remote: { transport: changing(change) },
    })
    for (const key of ["set/a", "set/b", "set/c"]) store.write(key, "x")
    await expect(listPaths(storage)).rejects.toThrow(message)
    expect(await codeOf(listPaths(storage))).toBe("upstream_failed")
  })

  it("understands a store that encodes no keys", async () => {
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
