import { randomUUID } from "node:crypto"
import { createTransport } from "@assay/http/node"
import { findSwift, startSwift, type SwiftServer, verifies } from "@assay/testkit"
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { deleteAll } from "../delete-all.ts"
import { STORAGE_CAPABILITIES } from "../storage.ts"
import { codeOf, listPaths, readAll, writeAll, writeFiles } from "../testing/ask.ts"
import type { StorageContract } from "../testing/contract-subject.ts"
import { describeStorageContract } from "../testing/describe-storage-contract.ts"
import { describePaths } from "../testing/path-behaviour.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { openTestObjstore, type TestObjstoreOptions, type TestStore } from "../testing/open-test-objstore.ts"

const found = findSwift()
if (!found.isThere) console.warn(`Tests against a real S3 server (OpenStack Swift) are skipped: ${found.reason}.`)

const LARGE = sampleBytes(17 * 1024 * 1024)

describe.skipIf(!found.isThere)("OpenStack Swift", () => {
  let server: SwiftServer
  let client: S3Client
  beforeAll(async () => {
    server = await startSwift()
    const { endpoint, region, ...credentials } = server
    client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  }, 90_000)
  afterAll(async () => {
    await server.close()
    await expect(fetch(server.endpoint)).rejects.toThrow("fetch failed")
  })

  async function newBucket(): Promise<TestStore> {
    const bucket = `test-${randomUUID()}`
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    return { ...server, bucket, close: async () => {} }
  }
  const openNew = (options: TestObjstoreOptions = {}) => openTestObjstore(newBucket(), options)

  /** Its storages are folders of one bucket, because creating a bucket takes longer than most tests. */
  function contractOf(version: "v4" | "v2"): StorageContract {
    let bucket: Promise<TestStore> | undefined
    return {
      capabilities: STORAGE_CAPABILITIES.objstore,
      takesConditions: false,
      mayReadOldBytes: true,
      isSlow: true,
      mayMissReplaced: true,
      async open(files) {
        // The longest paths leave no space for a prefix.
        const isLong = Object.keys(files).some((path) => path.length > 900)
        const { storage } = isLong
          ? await openNew({ signature_version: version })
          : await openTestObjstore((bucket ??= newBucket()), { signature_version: version, prefix: randomUUID() })
        await writeFiles(storage, files)
        return { storage, readChunkSize: 4000, close: async () => {} }
      },
    }
  }

  describeStorageContract("object storage", contractOf("v4"))
  describe("object storage with signatures of version 2", () => describePaths(contractOf("v2")))

  describe.each(["v4", "v2"] as const)("with signatures of version %s", (signature_version) => {
    // Creating a bucket takes longer than most tests.
    let bucket: Promise<TestStore> | undefined
    const openShared = (options: TestObjstoreOptions) =>
      openTestObjstore((bucket ??= newBucket()), { signature_version, ...options })

    it(
      "joins parts, reads ranges across them, and deletes everything",
      verifies("brief.storage.objstore.endpoint"),
      async () => {
        const { storage } = await openNew({ signature_version, read_chunk_size: 1_000_000 })
        const written = await writeAll(storage, "folder/large", LARGE)
        expect(await storage.stat(written.path)).toMatchObject({ size: LARGE.byteLength, etag: written.etag })
        expect(Buffer.compare(await readAll(storage, "folder/large"), LARGE)).toBe(0)
        const range = { kind: "from", start: 8_388_600, end: 8_388_700 } as const
        expect(await readAll(storage, "folder/large", { range })).toEqual(
          Buffer.from(LARGE.subarray(8_388_600, 8_388_701)),
        )
        await Promise.all(["a", "b/c", "folder"].map((path) => writeAll(storage, path, sampleBytes(10))))
        expect(await deleteAll(storage)).toBe(4)
        expect(await listPaths(storage)).toEqual([])
      },
    )

    it.each(["a//b", "./dot", "x/../y", "%41", "+", "ünï cödé/日本", "a&b=c?d#e"])(
      "never changes the key %j",
      async (prefix) => {
        const { storage } = await openShared({ prefix })
        await writeAll(storage, "file", sampleBytes(10))
        expect(await readAll(storage, "file")).toEqual(Buffer.from(sampleBytes(10)))
        expect(await listPaths(storage)).toEqual(["file"])
      },
    )

    it("reports wrong secrets, buckets and clocks", async () => {
      const files = async (options: TestObjstoreOptions) => listPaths((await openShared(options)).storage)
      const secret = (id: string, key: string) => ({
        remote: { resolveSecret: async ({ name }: { name: string }) => (name === "id" ? id : key) },
      })
      const { accessKeyId, secretAccessKey } = server
      expect(await codeOf(files(secret("nobody:here", secretAccessKey)))).toBe("upstream_refused")
      await expect(files(secret(accessKeyId, "wrong"))).rejects.toThrow("says that the signature is wrong")
      await expect(files({ bucket: "not-there" })).rejects.toThrow("the bucket does not exist")
      const late = files({ remote: { now: () => Date.now() - 3_600_000 } })
      await expect(late).rejects.toThrow("the clock of this machine is 60 minutes behind the store's")
    })
  })

  it("lists page by page", async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `${index % 3}/file ${index + 10}+`).toSorted()
    const transport = createTransport()
    const { storage } = await openNew({
      // Version 2 does not sign queries, so the test can shorten pages.
      signature_version: "v2",
      remote: {
        transport: (request, signal) =>
          transport({ ...request, path: request.path.replace("max-keys=1000", "max-keys=7") }, signal),
      },
    })
    await Promise.all(paths.map((path) => writeAll(storage, path, sampleBytes(1))))
    expect(await listPaths(storage)).toEqual(paths)
    expect(await listPaths(storage, { prefix: "1", after: paths[14] ?? "" })).toEqual(paths.slice(15, 20))
  })

  it("refuses access without a secret", async () => {
    const { storage } = await openNew({ isWithoutSecrets: true })
    await expect(listPaths(storage)).rejects.toThrow("it refuses access without a secret")
  })
})
