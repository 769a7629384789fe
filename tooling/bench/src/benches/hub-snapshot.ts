import { mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import process from "node:process"
import { snapshotDownload } from "@huggingface/hub"
import { openStorage } from "@assay/storage"
import { CLI_MAIN, startAssay } from "../assay-server.ts"
import { atLeast, type Bench } from "../bench.ts"
import { farContext } from "../far/far-context.ts"
import { forEachParallel } from "../for-each-parallel.ts"
import { inTurns } from "../in-turns.ts"
import { runCommand } from "../run-command.ts"

const COUNT = 1000
const PARALLEL = 16

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (let index = 0; index < COUNT; index += 1) await writeFile(join(folder, `${index}.json`), `{"number":${index}}`)
}

/** Seconds in which `fetchAll` brings all files into an empty folder. */
async function timed(folder: string, fetchAll: (folder: string) => Promise<void>): Promise<number> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const started = performance.now()
  await fetchAll(folder)
  return (performance.now() - started) / 1000
}

/** All files of a repository by our hub adapter, 16 at a time. */
async function snapshot(endpoint: string, folder: string): Promise<void> {
  const { storage } = await openStorage({ type: "hub", repo_id: "default/many", endpoint }, { far: farContext() })
  await forEachParallel(storage.list(), PARALLEL, async ({ path }) => {
    const { bytes } = await storage.read(path)
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, await Array.fromAsync(bytes))
  })
}

export const hubSnapshot: Bench = {
  name: "hub",
  async run({ folder }) {
    const source = join(folder, "source")
    await makeFolder(source)
    const server = await startAssay(join(folder, "data"))
    const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder, "cache") }
    await runCommand(process.execPath, [CLI_MAIN, "push", source, "default/many", "--purpose", "model"], env)
    const hubUrl = `${server.url}/apis/files/v2/hf`
    const mineFolder = join(folder, "mine")
    const [mine = 0, theirs = 0] = await inTurns([
      () => timed(mineFolder, (into) => snapshot(hubUrl, into)),
      () =>
        timed(join(folder, "theirs"), async (cacheDir) => {
          await snapshotDownload({ repo: "default/many", hubUrl, cacheDir })
        }),
    ])
    await runCommand("diff", ["-r", source, mineFolder])
    await server.stop()
    return [
      atLeast(
        "snapshot of 1,000 small files over the hub endpoint, to @huggingface/hub",
        theirs / mine,
        5,
        `${mine.toFixed(2)} s to ${theirs.toFixed(2)} s, compared with diff -r`,
      ),
    ]
  },
}
