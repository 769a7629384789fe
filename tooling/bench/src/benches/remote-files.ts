import { fileURLToPath } from "node:url"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, atMost, type Bench, type Measurement } from "../bench.ts"
import { startChildServer, type ChildServer } from "../child-server.ts"
import { createFakeSecrets, createFileset } from "../create-fileset.ts"
import { openObjstore } from "../remote/open-objstore.ts"
import { inParallel } from "../in-parallel.ts"
import { inTurns } from "../in-turns.ts"
import { memoryGrowth } from "../memory-growth.ts"
import { captureCommand } from "../run-command.ts"
import { timedDownload } from "../timed-download.ts"

const MIB = 2 ** 20
const GIB = 2 ** 30
const PART = 8 * MIB
const PARTS = 4
const KEYS = 100_000

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const startFake = (options: object) => startChildServer(source("fakes/objstore.ts"), [JSON.stringify(options)])

/** Creates a fileset on a fake store, and returns the address of its files on the server. */
async function remoteFileset(server: ChildServer, name: string, store: ChildServer): Promise<string> {
  const keys = { access_key_id_secret: "id", secret_access_key_secret: "key" }
  const place = { bucket: "files", endpoint_url: store.url, region: "us-east-1" }
  return `${await createFileset(server.url, name, { type: "objstore", ...place, ...keys })}/-`
}

const speed = (bytes: number, seconds: number) => `${Math.round(bytes / seconds / MIB)} MiB/s`

/** Measures downloads of 1 GiB through a server, through a bare proxy, and over a slow connection. */
async function downloads(server: ChildServer): Promise<readonly Measurement[]> {
  const near = await startFake({ objects: { "big.bin": GIB } })
  const proxy = await startChildServer(bareScript("proxy"), [near.url])
  const files = await remoteFileset(server, "near", near)
  const [mine = 0, bare = 0] = await inTurns([
    () => timedDownload(`${files}/big.bin`, GIB),
    () => timedDownload(`${proxy.url}/files/big.bin`, GIB),
  ])
  await Promise.all([near.stop(), proxy.stop()])

  const slowSize = 256 * MIB
  const slow = await startFake({ objects: { "big.bin": slowSize }, latencyMs: 50, bytesPerSecond: 20e6 })
  const slowFiles = await remoteFileset(server, "slow", slow)
  const [parts = 0, single = 0] = await inTurns(
    [() => timedDownload(`${slowFiles}/big.bin`, slowSize), () => timedDownload(`${slow.url}/files/big.bin`, slowSize)],
    1,
  )
  const readers = 8
  const growth = await memoryGrowth(server, () =>
    inParallel(readers, readers, async () => void (await timedDownload(`${slowFiles}/big.bin`, slowSize))),
  )
  await slow.stop()
  return [
    atLeast(
      "download 1 GiB from an object store, to a bare node:http proxy",
      bare / mine,
      0.7,
      `${speed(GIB, mine)} to ${speed(GIB, bare)}`,
    ),
    atLeast(
      "the same at 50 ms and 20 MB/s per connection (256 MiB), to a single connection",
      single / parts,
      3,
      `${speed(slowSize, parts)} to ${speed(slowSize, single)}`,
    ),
    atMost(
      `RSS growth of ${readers} such reads, MiB`,
      growth / MIB,
      (readers * PARTS * PART) / MIB + 64,
      "4 parts a read, and 64",
    ),
  ]
}

/** Measures downloads of a cached remote file and of a local file. */
async function cachedDownloads(server: ChildServer): Promise<readonly Measurement[]> {
  const store = await startFake({ objects: { "big.bin": GIB } })
  const remote = await remoteFileset(server, "cached", store)
  const local = `${await createFileset(server.url, "local")}/-`
  await timedDownload(`${remote}/big.bin`, GIB)
  await untilCached(remote.slice(0, -2))
  const { body } = await fetch(`${remote}/big.bin`)
  const copied = await fetch(`${local}/big.bin`, { method: "PUT", body, duplex: "half" })
  if (!copied.ok) throw new Error(`${copied.status}: ${await copied.text()}`)
  const [second = 0, plain = 0] = await inTurns([
    () => timedDownload(`${remote}/big.bin`, GIB),
    () => timedDownload(`${local}/big.bin`, GIB),
  ])
  await store.stop()
  return [
    atLeast(
      "second read of a cached file of 1 GiB, to a local download",
      plain / second,
      0.9,
      `${speed(GIB, second)} to ${speed(GIB, plain)}`,
    ),
  ]
}

async function untilCached(fileset: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const listing = (await (await fetch(`${fileset}/files?include_cache_status=true`)).json()) as {
      data: { cache_status: string }[]
    }
    if (listing.data.every(({ cache_status }) => cache_status === "cached")) return
    await sleep(100)
  }
  throw new Error("The file was not cached within ten seconds after it was read")
}

interface Upload {
  readonly seconds: number
  readonly growth: number
}

/** Measures uploads of 2 GiB by the adapter and by lib-storage, each in a separate process. */
async function uploads(): Promise<readonly Measurement[]> {
  const store = await startFake({ discardUploads: true })
  const bytes = 2 * GIB
  const run = async (script: string, ...args: string[]): Promise<Upload> =>
    JSON.parse(await captureCommand(process.execPath, [source(script), store.url, String(bytes), ...args])) as Upload
  let growth = 0
  const [mine = 0, bare = 0] = await inTurns([
    async () => {
      const upload = await run("remote/upload-adapter.ts")
      growth = Math.max(growth, upload.growth)
      return upload.seconds
    },
    async () => (await run("bare/upload-lib-storage.ts", String(PART), String(PARTS))).seconds,
  ])
  await store.stop()
  return [
    atLeast(
      "upload 2 GiB to an object store, digested, to bare lib-storage (8 MiB × 4)",
      bare / mine,
      0.85,
      `${speed(bytes, mine)} to ${speed(bytes, bare)}`,
    ),
    atMost("RSS growth of that upload, MiB", growth / MIB, 200, "of its process"),
  ]
}

/** Measures a listing of 100,000 keys by the adapter and by bare paged calls. */
async function listings(): Promise<readonly Measurement[]> {
  const store = await startFake({ keys: KEYS })
  const storage = await openObjstore(store.url)
  const client = new S3Client({
    endpoint: store.url,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: "fake-access-key", secretAccessKey: "fake-secret-key" },
  })
  const timed = async (list: () => Promise<number>) => {
    const started = performance.now()
    const count = await list()
    if (count !== KEYS) throw new Error(`listed ${count} keys instead of ${KEYS}`)
    return (performance.now() - started) / 1000
  }
  const [mine = 0, bare = 0] = await inTurns([
    () =>
      timed(async () => {
        let count = 0
        for await (const _file of storage.list()) count += 1
        return count
      }),
    () =>
      timed(async () => {
        let count = 0
        let token: string | undefined
        do {
          const more = token === undefined ? {} : { ContinuationToken: token }
          const page = await client.send(new ListObjectsV2Command({ Bucket: "files", ...more }))
          count += page.Contents?.length ?? 0
          token = page.NextContinuationToken
        } while (token !== undefined)
        return count
      }),
  ])
  client.destroy()
  await store.stop()
  return [
    atMost(
      "time to list 100,000 keys, to bare paged calls",
      mine / bare,
      1.2,
      `${mine.toFixed(2)} s to ${bare.toFixed(2)} s`,
    ),
  ]
}

export const remoteFiles: Bench = {
  name: "remote",
  async run({ folder }) {
    const server = await startAssay(join(folder, "data"), {
      ASSAY_ALLOWED_HOSTS: "127.0.0.1",
      ASSAY_CACHE_MAX_BYTES: "0",
    })
    await createFakeSecrets(server.url)
    const uncached = await downloads(server)
    await server.stop()
    const caching = await startAssay(join(folder, "data"), { ASSAY_ALLOWED_HOSTS: "127.0.0.1" })
    const cached = await cachedDownloads(caching)
    await caching.stop()
    return [...uncached, ...cached, ...(await uploads()), ...(await listings())]
  },
}
