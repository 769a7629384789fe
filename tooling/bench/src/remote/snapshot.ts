import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { openStorage } from "@assay/storage"
import { forEachParallel } from "../for-each-parallel.ts"
import { remoteContext } from "./remote-context.ts"

const PARALLEL = 16

/** Downloads all files of a repository with the hub adapter, 16 at a time, into an empty folder. */
export async function snapshot(endpoint: string, repo_id: string, folder: string): Promise<void> {
  const { storage } = await openStorage({ type: "hub", repo_id, endpoint }, { remote: remoteContext() })
  const made = new Set<string>()
  await forEachParallel(storage.list(), PARALLEL, async ({ path }) => {
    const { bytes } = await storage.read(path)
    const content = Buffer.concat(await Array.fromAsync(bytes))
    const file = join(folder, path)
    const parent = dirname(file)
    if (!made.has(parent)) mkdirSync(parent, { recursive: true })
    made.add(parent)
    // For small files, a thread would cost more than the write itself.
    writeFileSync(file, content)
  })
}
