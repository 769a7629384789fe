import { type FakeObjstore, type FakeObjstoreOptions, startFakeObjstore, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { deleteAll } from "../delete-all.ts"
import { STORAGE_CAPABILITIES, type Storage } from "../storage.ts"
import { listPaths, readAll, writeAll, writeFiles } from "../testing/ask.ts"
import type { StorageContract } from "../testing/contract-subject.ts"
import { describeStorageContract } from "../testing/describe-storage-contract.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { openTestObjstore, type TestObjstoreOptions } from "../testing/open-test-objstore.ts"

interface Subject {
  readonly store: FakeObjstore
  readonly storage: Storage
}

type PutFiles = (subject: Subject, files: Readonly<Record<string, Uint8Array>>, base: string) => Promise<void>

/** Opens the storage of `config` over its own fake store. */
function contractOver(fake: FakeObjstoreOptions, config: TestObjstoreOptions, put: PutFiles): StorageContract {
  const base = config.prefix === undefined ? "" : `${config.prefix.replace(/\/$/, "")}/`
  return {
    capabilities: STORAGE_CAPABILITIES.objstore,
    takesConditions: fake.conditionalWrites === undefined,
    mayReadOldBytes: true,
    async open(files) {
      const subject = await openTestObjstore(startFakeObjstore(fake), config)
      const { store, storage } = subject
      await put(subject, files, base)
      return {
        storage,
        readChunkSize: 4000,
        tamper: async (path) => store.write(base + path, sampleBytes(store.read(base + path).byteLength, 99)),
        countOpenReads: async () => store.inFlight(),
        close: async () => {},
      }
    },
  }
}

const putByOthers: PutFiles = async ({ store }, files) => {
  for (const [path, bytes] of Object.entries(files)) store.write(path, bytes)
}

/** Put most of a large number of files directly. */
const putByItself: PutFiles = async ({ store, storage }, files, base) => {
  // Neighbours that no operation may change or list.
  for (const key of ["ds", "ds1", "ds1/", "ds10/file", "other/ds1/file"]) store.write(key, "not of this storage")
  const entries = Object.entries(files)
  for (const [path, bytes] of entries.slice(100)) store.write(base + path, bytes)
  await writeFiles(storage, Object.fromEntries(entries.slice(0, 100)))
}

describeStorageContract("object storage with files of other programs", contractOver({}, {}, putByOthers))

describeStorageContract("object storage below a prefix", contractOver({}, { prefix: "ds1" }, putByItself))

describeStorageContract(
  "object storage with the older signature and without conditions",
  contractOver(
    { signatures: ["v2"], conditionalWrites: "not-implemented" },
    { signature_version: "v2", prefix: "team/ds1/" },
    putByItself,
  ),
)

describe("the prefix of an object storage", () => {
  it.each(["ds1", "ds1/"])(
    "applies to all operations, with or without a trailing slash: %s",
    verifies("brief.storage.objstore.prefix-relative"),
    async (prefix) => {
      const { store, storage } = await openTestObjstore(startFakeObjstore(), { prefix })
      for (const key of ["ds1", "ds1-file", "ds10/file"]) store.write(key, "of others")
      await writeAll(storage, "file", sampleBytes(5))
      expect(store.objects()).toEqual(["ds1", "ds1-file", "ds1/file", "ds10/file"])
      expect(await readAll(storage, "file")).toEqual(Buffer.from(sampleBytes(5)))
      expect(await listPaths(storage)).toEqual(["file"])
      expect(await deleteAll(storage)).toBe(1)
      expect(store.objects()).toEqual(["ds1", "ds1-file", "ds10/file"])
    },
  )
})
