import { startFakeObjstore, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { HISTORY_FOLDER } from "../file-history.ts"
import { parseFilePath } from "../file-path.ts"
import { writeAll } from "../testing/ask.ts"
import { createMemoryHistory } from "../testing/memory-history.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { openTestObjstore } from "../testing/open-test-objstore.ts"

const PATH = "folder/a file +1.txt"
const LARGE = sampleBytes(9 * 1024 * 1024)

async function openKeeping() {
  const history = createMemoryHistory()
  const opened = await openTestObjstore(startFakeObjstore(), { prefix: "base", remote: { history } })
  const read = async (id: string) => {
    const { bytes } = (await opened.storage.kept?.read(id)) ?? { bytes: [] }
    return Buffer.concat(await Array.fromAsync(bytes)).toString()
  }
  const operations = () => opened.store.requests.map(({ operation }) => operation)
  return { ...opened, history, read, operations }
}

describe("the history of an object store", () => {
  it("copies what is replaced and deleted within the store, and nothing else", verifies("files.history"), async () => {
    const { store, storage, history, read, operations } = await openKeeping()
    await writeAll(storage, PATH, Buffer.from("one"))
    expect(operations()).toEqual(["HeadObject", "PutObject"])
    await writeAll(storage, PATH, Buffer.from("one"))
    expect(history.kept.size).toBe(0)
    await writeAll(storage, PATH, LARGE)
    await storage.delete(parseFilePath(PATH))
    await storage.delete(parseFilePath(PATH))
    expect([await read("kept-1"), await storage.kept?.size("kept-2")]).toEqual(["one", LARGE.byteLength])
    expect([history.added(), await Array.fromAsync(storage.kept?.list() ?? [])]).toEqual([1, ["kept-1", "kept-2"]])
    expect(await storage.kept?.size("kept-3")).toBeUndefined()
    await storage.kept?.remove("kept-1")
    await storage.kept?.remove("kept-1")
    expect(store.objects().filter((key) => key.includes(HISTORY_FOLDER))).toEqual([`base/${HISTORY_FOLDER}/kept-2`])
  })

  it("gives up what the store can't copy, and the write succeeds", async () => {
    const { store, storage, history } = await openKeeping()
    await writeAll(storage, PATH, Buffer.from("one"))
    store.faults.add({
      when: ({ operation }) => operation === "CopyObject",
      fault: { kind: "refuse", status: 403 },
      times: 1,
    })
    await writeAll(storage, PATH, Buffer.from("two"))
    expect([history.kept.size, store.read(`base/${PATH}`).toString()]).toEqual([0, "two"])
  })

  it("writes and deletes without history if the store does not say what is there", async () => {
    const { store, storage, history } = await openKeeping()
    await writeAll(storage, PATH, Buffer.from("one"))
    store.faults.add({
      when: ({ operation }) => operation === "HeadObject",
      fault: { kind: "refuse", status: 403 },
      times: 2,
    })
    await writeAll(storage, PATH, Buffer.from("two"))
    expect([history.kept.size, history.added(), store.read(`base/${PATH}`).toString()]).toEqual([0, 1, "two"])
    await storage.delete(parseFilePath(PATH))
    expect([history.kept.size, store.objects()]).toEqual([0, []])
  })

  it("keeps nothing for a write that the store refused, and the copy of one whose end is unknown", async () => {
    const { store, storage, history } = await openKeeping()
    await writeAll(storage, PATH, Buffer.from("one"))
    const refuse = (times: number) =>
      store.faults.add({
        when: ({ operation }) => operation === "PutObject",
        fault: { kind: "refuse", status: 403 },
        times,
      })
    refuse(1)
    await expect(writeAll(storage, PATH, Buffer.from("two"))).rejects.toThrow()
    expect([history.kept.size, await Array.fromAsync(storage.kept?.list() ?? [])]).toEqual([0, []])
    refuse(1)
    store.faults.add({
      when: ({ operation, key }) => operation === "HeadObject" && history.kept.size > 0 && key.endsWith(PATH),
      fault: { kind: "refuse", status: 403 },
      times: 1,
    })
    await expect(writeAll(storage, PATH, Buffer.from("two"))).rejects.toThrow()
    expect([history.kept.size, await Array.fromAsync(storage.kept?.list() ?? [])]).toEqual([1, ["kept-2"]])
  })
})
