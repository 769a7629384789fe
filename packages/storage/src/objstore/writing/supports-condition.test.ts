import { startFakeObjstore, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseFilePath } from "../../file-path.ts"
import { codeOf, listPaths, writeAll } from "../../testing/ask.ts"
import { inPieces, sampleBytes } from "../../testing/sample-bytes.ts"
import { openTestObjstore } from "../../testing/open-test-objstore.ts"

const SMALL = sampleBytes(1000)
const LARGE = sampleBytes(9 * 1024 * 1024)
const NEW = { ifNoneMatch: "*" } as const
const CONDITIONS = [NEW, { ifMatch: "*" }, { ifMatch: '"5eb63bbbe01eeda093cb22bb8f5acdc3"' }] as const

describe("a conditional write to an object store", () => {
  it.each(["ignored", "not-implemented"] as const)(
    "is refused by a store whose conditions are %s, and nothing is written",
    verifies("files.upload.unconditional-backend"),
    async (conditionalWrites) => {
      const { store, storage } = await openTestObjstore(startFakeObjstore({ conditionalWrites }))
      store.write("there", "hello world")
      for (const condition of CONDITIONS) {
        for (const bytes of [SMALL, LARGE]) {
          expect(await codeOf(writeAll(storage, "there", bytes, condition))).toBe("unsupported")
          expect(await codeOf(writeAll(storage, "new", bytes, condition))).toBe("unsupported")
        }
      }
      expect(store.objects()).toEqual(["there"])
      expect(store.read("there").toString()).toBe("hello world")
      expect(store.openUploads()).toEqual([])
    },
  )

  it("is tried once per kind, with a key that is never listed and is removed", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    let listed: Promise<readonly string[]> | undefined
    store.faults.add({
      when({ method, key }) {
        if (method === "PUT" && key.startsWith(".assay-trial-")) listed ??= listPaths(storage)
        return false
      },
      fault: { kind: "hang-up" },
    })
    const trials = () => store.requests.filter(({ key }) => key.startsWith(".assay-trial-"))
    await Promise.all(["a", "b"].map((path) => writeAll(storage, path, SMALL, NEW)))
    expect(await listed).toEqual([])
    expect(trials().map(({ operation }) => operation)).toEqual(["PutObject", "PutObject", "DeleteObject"])
    await writeAll(storage, "c", SMALL, NEW)
    expect(trials()).toHaveLength(3)
    await writeAll(storage, "d", LARGE, NEW)
    await writeAll(storage, "e", LARGE, NEW)
    expect(trials().filter(({ operation }) => operation === "CompleteMultipartUpload")).toHaveLength(1)
    expect(store.objects()).toEqual(["a", "b", "c", "d", "e"])
    expect(store.openUploads()).toEqual([])
  })

  it("is tried again if the trial could not be made", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    store.faults.add({ fault: { kind: "refuse", status: 403 }, times: 2 })
    expect(await codeOf(writeAll(storage, "a", SMALL, NEW))).toBe("upstream_refused")
    await expect(writeAll(storage, "a", SMALL, NEW)).resolves.toMatchObject({ path: "a" })
  })

  it("in parts is refused before any byte is sent if the condition is false", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    store.write("there", "hello world")
    const path = parseFilePath("there")
    for (const condition of [NEW, { ifMatch: '"another"' }]) {
      expect(await codeOf(storage.write(path, inPieces(LARGE, 65_536), condition))).toBe("precondition_failed")
    }
    expect(store.requests.filter(({ key, operation }) => key === "there" && operation === "UploadPart")).toEqual([])
  })

  it("in parts is refused if the condition is false at its end", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    const isPart = (request: { key: string; operation: string }) =>
      request.key === "file" && request.operation === "UploadPart" && store.write("file", "first") === undefined
    store.faults.add({ when: isPart, fault: { kind: "latency", ms: 1 } })
    expect(await codeOf(writeAll(storage, "file", LARGE, NEW))).toBe("precondition_failed")
    expect(store.read("file").toString()).toBe("first")
    expect(store.openUploads()).toEqual([])
  })

  it("is sent again while another write is in progress", async () => {
    const { store, storage, waits } = await openTestObjstore(startFakeObjstore())
    const isWrite = ({ key }: { key: string }) => key === "file"
    const fault = { kind: "refuse", status: 409, code: "ConditionalRequestConflict" } as const
    store.faults.add({ when: isWrite, fault, times: 2 })
    await writeAll(storage, "file", SMALL, NEW)
    expect(waits).toHaveLength(2)
    store.faults.add({ when: isWrite, fault, times: 4 })
    expect(await codeOf(writeAll(storage, "file", SMALL, NEW))).toBe("precondition_failed")
  })

  it("with If-Match: * succeeds if the file is replaced meanwhile", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    store.write("file", "one")
    let turn = 0
    const isWrite = (request: { key: string; operation: string }) => {
      if (request.key !== "file" || request.operation !== "PutObject" || turn === 2) return false
      store.write("file", `other ${++turn}`)
      return false
    }
    store.faults.add({ when: isWrite, fault: { kind: "hang-up" } })
    await writeAll(storage, "file", SMALL, { ifMatch: "*" })
    expect(turn).toBe(2)
    expect(store.read("file").equals(SMALL)).toBe(true)
  })

  it("does not take a file of another writer for its own, even with the same bytes", async () => {
    const { storage } = await openTestObjstore(startFakeObjstore())
    await writeAll(storage, "file", SMALL)
    expect(await codeOf(writeAll(storage, "file", SMALL, NEW))).toBe("precondition_failed")
  })

  it.each([
    ["in one request", SMALL],
    ["in parts", LARGE],
  ])("%s is recognized as its own if the response is lost", async (_title, bytes) => {
    const lost = new Set<string>()
    const { store, storage } = await openTestObjstore(startFakeObjstore(), {
      loses({ method, path, headers }) {
        const isEnd = path.startsWith("/files/file") && headers["if-none-match"] === "*" && method !== "GET"
        return isEnd && !lost.has(path) && lost.add(path).size > 0
      },
    })
    await expect(writeAll(storage, "file", bytes, NEW)).resolves.toMatchObject({ size: bytes.byteLength })
    expect(lost.size).toBe(1)
    expect(await codeOf(writeAll(storage, "file", bytes, NEW))).toBe("precondition_failed")
    expect(store.read("file").equals(bytes)).toBe(true)
  })
})
