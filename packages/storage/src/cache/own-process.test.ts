import { once } from "node:events"
import { readdir, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { openLocalStorage } from "../local/open.ts"
import { sweepTemporaryFiles } from "../local/writing/sweep-temporary-files.ts"
import { listPaths, readAll } from "../testing/ask.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { openTestCache } from "../testing/open-test-cache.ts"
import { runStorageScript } from "../testing/run-storage-script.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { expectBytes } from "../testing/expect-bytes.ts"

const CONFIGURATION = { type: "catalog", org: "o", team: "", target: "t", version: "1", api_key_secret: "s" } as const

/** The folder `argv[1]` is the remote backend, and the cache is in `argv[2]`. There is a pause between two pieces. */
const SCRIPT = `
  const load = async (path) => import(new URL(path, ${JSON.stringify(import.meta.url)}))
  const { openCacheHome } = await load("./cache-home.ts")
  const { createReadCache } = await load("./read-cache.ts")
  const { withCache } = await load("./with-cache.ts")
  const { createMemoryCacheIndex } = await load("../testing/memory-cache-index.ts")
  const [remote, path, pause = "0"] = process.argv.slice(1)
  const configuration = { type: "local", path }
  const storage = openLocalStorage(configuration)
  const warnings = []
  const index = createMemoryCacheIndex()
  const cache = createReadCache({
    home: openCacheHome({ configuration, open: async () => storage, spoolFolder: "", newId: () => "one" }),
    index,
    maxBytes: 2 ** 40,
    warn: (error, what) => warnings.push(error.code ?? error.message),
  })
  const source = openLocalStorage({ type: "local", path: remote })
  async function* slowly(bytes) {
    for await (const piece of bytes) {
      yield piece
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  const slow = { ...source, read: async (path, options) => {
    const read = await source.read(path, options)
    return { ...read, bytes: slowly(read.bytes) }
  } }
  const cached = withCache(slow, { cache, configuration: ${JSON.stringify(CONFIGURATION)} })
  async function readToEnd() {
    let read = 0
    const { bytes, release } = await cached.read(parseFilePath("file"))
    for await (const piece of bytes) {
      read += piece.byteLength
      release?.(piece)
    }
    return read
  }
`

const MIB = 1_048_576

async function makeRemote(): Promise<{ readonly remote: string; readonly home: string }> {
  const folder = await makeTestFolder()
  await writeFile(join(folder, "file"), sampleBytes(4 * MIB))
  return { remote: folder, home: await makeTestFolder() }
}

describe("a process that fills the read cache", () => {
  it("leaves nothing that is served after it was killed, and its remains are removed", async () => {
    const { remote, home } = await makeRemote()
    const script = `${SCRIPT}
      const { bytes } = await cached.read(parseFilePath("file"))
      for await (const piece of bytes) console.log(piece.byteLength)`
    const { child } = runStorageScript(script, [remote, home, "200"])
    if (child.stdout === null) throw new Error("The script has no output.")
    await once(child.stdout, "data")
    child.kill("SIGKILL")
    await once(child, "exit")
    const left = (await readdir(home, { recursive: true })).filter((path) => path.includes(".assay-tmp-"))
    expect(left).toHaveLength(1)
    const local = { type: "local", path: home } as const
    const { index, open } = await openTestCache({
      home: { storage: openLocalStorage(local), configuration: local },
    })
    const storage = open({ storage: openLocalStorage({ type: "local", path: remote }), configuration: CONFIGURATION })
    expect(await storage.cacheStatuses([await storage.stat(parseFilePath("file"))])).toEqual(["not_cached"])
    expectBytes(await readAll(storage, "file"), sampleBytes(4 * MIB))
    await expect.poll(() => index.entries.size).toBe(1)
    expect(await sweepTemporaryFiles(home, { olderThan: Date.now() + 60_000 })).toBe(1)
    expect(await listPaths(openLocalStorage(local))).toHaveLength(1)
  })

  it("gives its readers every byte even if the disk is full", async () => {
    const { remote, home } = await makeRemote()
    const script = `${SCRIPT}
      const read = await Promise.all([readToEnd(), readToEnd()])
      for (let turn = 0; warnings.length === 0 && turn < 4000; turn++) await new Promise((resolve) => setTimeout(resolve, 5))
      await cache.close()
      console.log(JSON.stringify({ read, warnings, cached: index.entries.size }))`
    const { output } = runStorageScript(script, [remote, home], 'ulimit -f 2000 && exec "$@"')
    expect(JSON.parse(await output)).toEqual({ read: [4 * MIB, 4 * MIB], warnings: ["EFBIG"], cached: 0 })
    expect(await readdir(home)).toEqual([])
  })

  it("holds no file in memory, however many readers it has", async () => {
    const { remote, home } = await makeRemote()
    await truncate(join(remote, "file"), 160 * MIB)
    const script = `${SCRIPT}
      const start = process.memoryUsage().rss
      let most = start
      const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5)
      const read = await Promise.all([readToEnd(), readToEnd(), readToEnd(), readToEnd()])
      clearInterval(timer)
      console.log(JSON.stringify({ read, growth: most - start }))`
    const { output } = runStorageScript(script, [remote, home])
    const { read, growth } = JSON.parse(await output) as { read: number[]; growth: number }
    expect(read).toEqual(Array.from({ length: 4 }, () => 160 * MIB))
    expect(growth).toBeLessThan(100 * MIB)
  })
})
