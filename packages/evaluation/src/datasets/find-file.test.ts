import { openStorage, parseFilePath, type ReadOptions, type Storage } from "@assay/storage"
import { startFakeObjstore, type FakeObjstore } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { testRemote } from "../testing/test-remote.ts"
import { findFile } from "./find-file.ts"

async function openObjstore(): Promise<{ readonly store: FakeObjstore; readonly storage: Storage }> {
  const store = await startFakeObjstore()
  onTestFinished(() => store.close())
  const secrets: Record<string, string> = { id: store.accessKeyId, key: store.secretAccessKey }
  const remote = testRemote((name) => secrets[name] ?? "")
  const { bucket, region, endpoint: endpoint_url } = store
  const keys = { access_key_id_secret: "id", secret_access_key_secret: "key" }
  const { storage } = await openStorage({ type: "objstore", bucket, region, endpoint_url, ...keys }, { remote })
  return { store, storage }
}

async function textOf(storage: Storage, path: string, options?: ReadOptions): Promise<string> {
  const { bytes } = await storage.read(parseFilePath(path), options)
  return Buffer.concat(await Array.fromAsync(bytes)).toString()
}

it("A small file of an object store is found and read with one request", async () => {
  const { store, storage } = await openObjstore()
  store.write("rows.jsonl", '{"a":1}\n')
  store.write("other.jsonl", "other")
  const found = await findFile(storage, parseFilePath("rows.jsonl"))
  expect(found.file).toMatchObject({ path: "rows.jsonl", size: 8 })
  expect(await textOf(found.storage, "rows.jsonl")).toBe('{"a":1}\n')
  expect(await textOf(found.storage, "rows.jsonl", { range: { kind: "from", start: 1, end: 3 } })).toBe('"a"')
  expect(await textOf(found.storage, "rows.jsonl", { range: { kind: "suffix", length: 2 } })).toBe("}\n")
  expect(await found.storage.stat(parseFilePath("rows.jsonl"))).toEqual(found.file)
  expect(store.requests).toHaveLength(1)
  expect(await textOf(found.storage, "other.jsonl")).toBe("other")
})

it("Larger and empty files of an object store are read from it", async () => {
  const { store, storage } = await openObjstore()
  const large = "x".repeat(300_000)
  store.write("large", large)
  store.write("empty", "")
  const found = await findFile(storage, parseFilePath("large"))
  expect(found.file.size).toBe(300_000)
  const before = store.requests.length
  expect(await textOf(found.storage, "large")).toBe(large)
  expect(store.requests.length).toBeGreaterThan(before)
  const empty = await findFile(storage, parseFilePath("empty"))
  expect(empty.file.size).toBe(0)
  expect(await textOf(empty.storage, "empty")).toBe("")
})

it("Bytes that do not match the stored digest are not kept", async () => {
  const { store, storage } = await openObjstore()
  await storage.write(
    parseFilePath("file"),
    (async function* () {
      yield Buffer.from("right")
    })(),
  )
  store.faults.add({ fault: { kind: "wrong-byte", at: 2 } })
  const found = await findFile(storage, parseFilePath("file"))
  await expect(textOf(found.storage, "file")).rejects.toThrow("its bytes have the digest")
  store.faults.clear()
  expect(await textOf(found.storage, "file")).toBe("right")
})

it("A file that does not exist is not found", async () => {
  const { storage } = await openObjstore()
  await expect(findFile(storage, parseFilePath("none"))).rejects.toMatchObject({ code: "not_found" })
})
