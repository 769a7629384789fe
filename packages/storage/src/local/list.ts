import { setImmediate as nextTurn } from "node:timers/promises"
import { isFilePath, parsePrefix } from "../file-path.ts"
import type { LevelOptions, ListOptions, StoredFile, StoredFolder } from "../storage.ts"
import { localError } from "./errors.ts"
import { fileVersion, storedFile } from "./file-version.ts"
import type { LocalContext } from "./context.ts"
import { walk, type ListedFile } from "./listing/walk.ts"
import { walkLevel } from "./listing/walk-level.ts"

/** Number of files whose digests are looked up together. */
const BATCH = 256

export async function* listFiles(local: LocalContext, options: ListOptions): AsyncGenerator<StoredFile> {
  const { prefix = "", after = "", signal } = options
  const folderOnly = prefix.endsWith("/")
  const only = prefix === "" ? [] : parsePrefix(prefix).split("/")
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

/** Lists the files and folders of one folder. */
export async function* listLevel(
  local: LocalContext,
  { folder, after = "", expected = Infinity, signal }: LevelOptions,
): AsyncGenerator<StoredFile | StoredFolder> {
  parsePrefix(folder)
  try {
    for await (const found of walkLevel({ root: local.root, folder, after, expected, signal })) {
      const described = await describe(
        local,
        found.filter((entry) => "stats" in entry),
      )
      const files = new Map(described.map((file) => [file.path as string, file]))
      for (const { path } of found) {
        const entry = path.endsWith("/") ? { path } : files.get(path)
        if (entry !== undefined) yield entry
      }
      // The database can be synchronous.
      await nextTurn()
    }
  } catch (error) {
    throw localError(error, "list", folder)
  }
}

async function describe(local: LocalContext, files: readonly ListedFile[]): Promise<readonly StoredFile[]> {
  const digests = await local.digests.getMany(files.map(({ realPath, stats }) => fileVersion(realPath, stats)))
  return files.flatMap(({ path, stats }, index) => {
    const sha256 = local.checks?.isDamaged(stats) === true ? undefined : digests[index]
    return isFilePath(path) ? storedFile(path, stats, sha256) : []
  })
}
