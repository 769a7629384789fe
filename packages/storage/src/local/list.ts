import { setImmediate as nextTurn } from "node:timers/promises"
import { isFilePath, parseFilePath } from "../file-path.ts"
import type { ListOptions, StoredFile } from "../storage.ts"
import { localError } from "./errors.ts"
import { fileVersion, storedFile } from "./file-version.ts"
import type { LocalContext } from "./context.ts"
import { walk, type ListedFile } from "./listing/walk.ts"

/** Number of files whose digests are looked up together. */
const BATCH = 256

export async function* listFiles(local: LocalContext, options: ListOptions): AsyncGenerator<StoredFile> {
  const { prefix = "", after = "", signal } = options
  const folderOnly = prefix.endsWith("/")
  const path = folderOnly ? prefix.slice(0, -1) : prefix
  const only = prefix === "" ? [] : parseFilePath(path).split("/")
  try {
    let batch: ListedFile[] = []
    for await (const found of walk({ root: local.root, only, folderOnly, after, signal })) {
      batch.push(...found)
      if (batch.length < BATCH) continue
      yield* await describe(local, batch)
      batch = []
      // The database can be synchronous.
      await nextTurn()
    }
    yield* await describe(local, batch)
  } catch (error) {
    throw localError(error, "list", prefix)
  }
}

async function describe(local: LocalContext, files: readonly ListedFile[]): Promise<readonly StoredFile[]> {
  const digests = await local.digests.getMany(files.map(({ realPath, stats }) => fileVersion(realPath, stats)))
  return files.flatMap(({ path, stats }, index) => {
    const sha256 = local.checks?.isDamaged(stats) === true ? undefined : digests[index]
    return isFilePath(path) ? storedFile(path, stats, sha256) : []
  })
}
