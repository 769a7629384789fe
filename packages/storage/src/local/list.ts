import { setImmediate as nextTurn } from "node:timers/promises"
import { isFilePath, parsePrefix } from "../file-path.ts"
import type { LevelOptions, ListOptions, StoredFile, StoredFolder } from "../storage.ts"
import { localError } from "./errors.ts"
import { fileVersion, storedFile } from "./file-version.ts"
import type { LocalContext } from "./context.ts"
import type { ListedFiles } from "./listing/listed-files.ts"
import { walk, type ListedFile } from "./listing/walk.ts"
import { walkLevel } from "./listing/walk-level.ts"

/** Number of files whose digests are looked up together. */
const BATCH = 256

export async function* listFiles(local: LocalContext, options: ListOptions): AsyncGenerator<StoredFile> {
  const { prefix = "", after = "", signal } = options
  const before = prefix === "" && after === "" ? options.listed : undefined
  const listed = before !== undefined && before.size > 0 ? before : undefined
  const collecting = before?.begin()
  const folderOnly = prefix.endsWith("/")
  const only = prefix === "" ? [] : parsePrefix(prefix).split("/")
  try {
    let batch: ListedFile[] = []
    for await (const found of walk({ root: local.root, only, folderOnly, after, signal, listed })) {
      batch.push(...found)
      if (batch.length < BATCH) continue
      yield* await describe(local, batch, collecting)
      batch = []
      // The database can be synchronous.
      await nextTurn()
    }
    yield* await describe(local, batch, collecting)
    collecting?.end()
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

async function describe(
  local: LocalContext,
  files: readonly ListedFile[],
  collecting?: ReturnType<ListedFiles<StoredFile>["begin"]>,
): Promise<readonly StoredFile[]> {
  const isDamaged = ({ stats }: ListedFile) => local.checks?.isDamaged(stats) === true
  // A digest can become known while the state of its file stays the same.
  const isKnown = (file: ListedFile) => file.known?.sha256 != null && !isDamaged(file)
  const versions = files.filter((file) => !isKnown(file)).map(({ realPath, stats }) => fileVersion(realPath, stats))
  const found = (versions.length === 0 ? [] : await local.digests.getMany(versions)).values()
  const described: StoredFile[] = []
  for (const file of files) {
    const { path, realPath, stats, known } = file
    if (known !== undefined && isKnown(file)) {
      described.push(known)
      continue
    }
    const sha256 = found.next().value
    if (!isFilePath(path)) continue
    const stored = storedFile(path, stats, isDamaged(file) ? undefined : sha256)
    if (path !== realPath) collecting?.addLinked()
    else if (!isDamaged(file)) collecting?.add(path, stats, stored)
    described.push(stored)
  }
  return described
}
