import { cachePath, forEachParallel, type FilePath, type Storage } from "@assay/storage"
import { createCacheIndex } from "../cache/cache-index.ts"
import type { OpenFileset } from "../files/open-fileset.ts"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import { messageOf } from "@assay/schemas"
import type { FilesetsContext } from "../filesets-context.ts"
import { ALL_SECRETS } from "../storages/secret-rights.ts"
import { createOpenDefaultStorage } from "../storages/open-storage.ts"
import { wholeOf } from "../storages/storage-configuration.ts"
import { settleStorageId } from "../storages/storage-id.ts"
import { checkDatabase } from "./check-database.ts"
import type { CheckFilesOptions, FilesChecked, Integrity } from "./integrity.ts"
import { filesToVerify, ownFilesets, locationOf, recordedDigests, recordedTotals } from "./recorded-files.ts"
import { verifyKept } from "./verify-kept.ts"
import { verifyFile, type FileToVerify, type Verdict } from "./verify-file.ts"

/** Files that are read at a time. */
const PARALLEL = 4

interface IntegrityContext extends FilesetsContext {
  readonly openDefaultStorage: () => Promise<Storage>
}

export function createIntegrity(context: IntegrityContext, openFileset: OpenFileset): Integrity {
  const { database } = context
  return {
    checkDatabase: () => checkDatabase(database),
    checkStorageId: () => settleStorageId({ ...context, guest: true }),
    checkFiles: (options) => checkFiles(context, openFileset, options),
  }
}

interface Task {
  readonly place: string
  readonly isCached: boolean
  readonly file: Pick<FileToVerify, "storage" | "path" | "recorded">
}

async function checkFiles(
  context: IntegrityContext,
  openFileset: OpenFileset,
  options: CheckFilesOptions,
): Promise<FilesChecked> {
  const { onDamage, onProgress, signal } = options
  const totals = onProgress === undefined ? { totalFiles: 0, totalBytes: 0 } : await recordedTotals(context.database)
  const done = { filesets: 0, files: 0, bytes: 0, unverified: 0, cached: 0, kept: 0 }
  const report = () => onProgress?.({ files: done.files, bytes: done.bytes, ...totals })

  async function verify({ place, isCached, file }: Task): Promise<void> {
    const onBytes = (count: number) => {
      done.bytes += count
      report()
    }
    const verdict = await verifyFile({ ...file, onBytes, signal })
    // The cache fetches missing files again.
    if (verdict === "gone" || (isCached && verdict === "unverified")) return
    done.files += 1
    if (isCached) done.cached += 1
    if (verdict === "unverified") done.unverified += 1
    else if (verdict !== "same") onDamage({ place, ...(isCached ? asCached(verdict) : verdict) })
    report()
  }

  async function* tasks(): AsyncGenerator<Task, void, undefined> {
    for await (const fileset of ownFilesets(context.database)) {
      yield* tasksOf(context, openFileset, fileset, options)
      done.kept += await keptOf(context, openFileset, fileset, options)
      done.filesets += 1
    }
    yield* cacheTasks(context)
  }

  await forEachParallel(tasks(), PARALLEL, verify)
  return done
}

async function* tasksOf(
  context: FilesetsContext,
  openFileset: OpenFileset,
  fileset: FilesetRow,
  options: CheckFilesOptions,
): AsyncGenerator<Task, void, undefined> {
  const { database } = context
  try {
    // The whole folder of the fileset, even if its files are in a subfolder: recorded paths are relative to the folder.
    const storage = await openFileset(wholeOf(fileset), ALL_SECRETS)
    for await (const path of filesToVerify(context, fileset, storage, options)) {
      const recorded = () => recordedDigests(database, fileset.id, path)
      yield { place: locationOf(fileset, path), isCached: false, file: { storage, path, recorded } }
    }
  } catch (error) {
    options.signal.throwIfAborted()
    const message = messageOf(error)
    options.onDamage({
      kind: "unreadable",
      place: locationOf(fileset, ""),
      detail: `Its files can't be listed: ${message}`,
    })
  }
}

/** Verifies the kept bytes of a fileset. Returns how many versions they are. */
async function keptOf(
  context: FilesetsContext,
  openFileset: OpenFileset,
  fileset: FilesetRow,
  { onDamage, signal }: CheckFilesOptions,
): Promise<number> {
  try {
    const storage = await openFileset(wholeOf(fileset), ALL_SECRETS)
    const { kept } = storage
    return kept === undefined ? 0 : await verifyKept(context, { fileset, kept, storage, onDamage, signal })
  } catch (error) {
    signal.throwIfAborted()
    const detail = `Its kept bytes can't be read: ${messageOf(error)}`
    onDamage({ kind: "unreadable", place: locationOf(fileset, ""), detail })
    return 0
  }
}

async function* cacheTasks(context: FilesetsContext): AsyncGenerator<Task, void, undefined> {
  const index = createCacheIndex(context)
  let storage: Storage | undefined
  for await (const { key } of index.list()) {
    storage ??= await createOpenDefaultStorage(context)()
    const path: FilePath = cachePath(key)
    const recorded = async () => {
      const entry = await index.get(key)
      return entry === undefined ? [] : [entry.digest]
    }
    yield { place: path, isCached: true, file: { storage, path, recorded } }
  }
}

/** Returns the verdict for a cached file. Nothing is lost, because it can be fetched again. */
function asCached(verdict: Exclude<Verdict, string>): Exclude<Verdict, string> {
  return {
    kind: verdict.kind === "unreadable" ? "unreadable" : "damaged",
    detail:
      "A copy in the read cache differs from the file that was fetched. Delete it: it is fetched again when it is needed.",
  }
}
