import { fileURLToPath } from "node:url"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, atMost, type Bench, type Measurement } from "../bench.ts"
import { startChildServer, type ChildServer } from "../child-server.ts"
import { startFakeStore } from "../remote/start-fake-store.ts"
import { createFakeSecrets, createFileset } from "../filesets/create-fileset.ts"
import { listings } from "../remote/measure-listings.ts"
import { inParallel } from "../measure/in-parallel.ts"
import { inTurns } from "../measure/in-turns.ts"
import { memoryGrowth } from "../measure/memory-growth.ts"
import { captureCommand } from "../measure/run-command.ts"
import { timedDownload } from "../measure/timed-download.ts"

const MIB = 2 ** 20
const GIB = 2 ** 30
const PART = 8 * MIB
const PARTS = 4

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Creates a fileset on a fake store, and returns the address of its files on the server. */
async function remoteFileset(server: ChildServer, name: string, store: ChildServer): Promise<string> {
  const keys = { access_key_id_secret: "id", secret_access_key_secret: "key" }
  const place = { bucket: "files", endpoint_url: store.url, region: "us-east-1" }
  return `${await createFileset(server.url, name, { type: "objstore", ...place, ...keys })}/-`
}

const speed = (bytes: number, seconds: number) => `${Math.round(bytes / seconds / MIB)} MiB/s`

/** Measures downloads of 1 GiB through a server, through a bare proxy, and over a slow connection. */
async function downloads(server: ChildServer): Promise<readonly Measurement[]> {
  const near = await startFakeStore({ objects: { "big.bin": GIB } })
  const proxy = await startChildServer(bareScript("proxy"), [near.url])
  const files = await remoteFileset(server, "near", near)
  const [mine, bare] = await inTurns([
    () => timedDownload(`${files}/big.bin`, GIB),
    () => timedDownload(`${proxy.url}/files/big.bin`, GIB),
  ])
  await Promise.all([near.stop(), proxy.stop()])

  const slowSize = 256 * MIB
  const slow = await startFakeStore({ objects: { "big.bin": slowSize }, latencyMs: 50, bytesPerSecond: 20e6 })
  const slowFiles = await remoteFileset(server, "slow", slow)
  const [parts, single] = await inTurns(
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
      {
        work: "download 1 GiB from an object store",
        does: "Through the server, to a node:http proxy that forwards the bytes.",
      },
      bare / mine,
      0.7,
      `${speed(GIB, mine)} to ${speed(GIB, bare)}`,
    ),
    atLeast(
      {
        work: "download 256 MiB over slow connections",
        does: "50 ms and 20 MB/s per connection, to a single connection.",
      },
      single / parts,
      3,
      `${speed(slowSize, parts)} to ${speed(slowSize, single)}`,
    ),
    atMost(
      {
        work: `memory of ${readers} such downloads, MiB`,
        does: "Growth of the server's resident memory; parts of 8 MiB.",
      },
      growth / MIB,
      (readers * PARTS * PART) / MIB + 64,
      "4 parts a read, and 64",
    ),
  ]
}

/** Measures downloads of a cached remote file and of a local file. */
async function cachedDownloads(server: ChildServer): Promise<readonly Measurement[]> {
  const store = await startFakeStore({ objects: { "big.bin": GIB } })
  const remote = await remoteFileset(server, "cached", store)
  const local = `${await createFileset(server.url, "local")}/-`
  await timedDownload(`${remote}/big.bin`, GIB)
  await untilCached(remote.slice(0, -2))
  const { body } = await fetch(`${remote}/big.bin`)
  const copied = await fetch(`${local}/big.bin`, { method: "PUT", body, duplex: "half" })
  if (!copied.ok) throw new Error(`${copied.status}: ${await copied.text()}`)
  const [second, plain] = await inTurns([
    () => timedDownload(`${remote}/big.bin`, GIB),
    () => timedDownload(`${local}/big.bin`, GIB),
  ])
  await store.stop()
  return [
    atLeast(
      { work: "second download of a remote file of 1 GiB", does: "From the read cache, to a file on local storage." },
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
  const store = await startFakeStore({ discardUploads: true })
  const bytes = 2 * GIB
  const run = async (script: string, ...args: string[]): Promise<Upload> =>
    JSON.parse(await captureCommand(process.execPath, [source(script), store.url, String(bytes), ...args])) as Upload
  let growth = 0
  const [mine, bare] = await inTurns([
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
      {
        work: "upload 2 GiB to an object store",
        does: "Digested, in a process of its own, to Upload of @aws-sdk/lib-storage (8 MiB × 4).",
      },
      bare / mine,
      0.85,
      `${speed(bytes, mine)} to ${speed(bytes, bare)}`,
    ),
    atMost(
      { work: "memory of that, MiB", does: "Growth of the resident memory of its process." },
      growth / MIB,
      200,
      "highest of all runs",
    ),
  ]
}

async function stopAfter<T>(server: ChildServer, work: (server: ChildServer) => Promise<T>): Promise<T> {
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

export const remoteFiles: Bench = {
  name: "remote",
  async run({ folder, part }) {
    const data = join(folder, "data")
    const allowed = { ASSAY_ALLOWED_HOSTS: "127.0.0.1" }
    await part("downloads", async () => {
      const server = await startAssay(data, { ...allowed, ASSAY_CACHE_MAX_BYTES: "0" })
      await createFakeSecrets(server.url)
      return stopAfter(server, downloads)
    })
    await part("cached downloads", async () => {
      const server = await startAssay(data, allowed)
      return stopAfter(server, cachedDownloads)
    })
    await part("uploads", uploads)
    await part("listings", listings)
  },
}
