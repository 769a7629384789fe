import { isAssayError } from "@assay/schemas"
import { compareCodePoints, parseFilePath, type FilePath, type Storage } from "@assay/storage"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { CheckFilesOptions } from "./integrity.ts"
import { recordedPaths, recordedVersions } from "./recorded-files.ts"

/** Missing files that are checked again together. */
const SUSPECTS = 500

/** Milliseconds in which a server that deletes a file also removes its digest. */
const SETTLE_MS = 500

/**
 * Lists the files of a fileset, and compares them with the recorded paths, both in order. Reports recorded files that are
 * missing, unless a server is deleting them now.
 */
export async function* filesToVerify(
  { database, remote }: Pick<RegistryContext, "database" | "remote">,
  fileset: FilesetRow,
  storage: Storage,
  { onDamage, signal }: CheckFilesOptions,
): AsyncGenerator<FilePath, void, undefined> {
  let suspects: string[] = []
  const versionsOf = (path: string) => recordedVersions(database, fileset.id, path)

  async function settleSuspects(): Promise<void> {
    if (suspects.length === 0) return
    const before = new Map<string, readonly string[]>()
    for (const path of suspects) before.set(path, await versionsOf(path))
    await remote.sleep(SETTLE_MS, signal)
    for (const [path, versions] of before) {
      if (!(await isMissing(path, versions))) continue
      const detail = "The file is on record and not on the storage. Write it again, or restore it from a backup."
      onDamage({ kind: "missing", place: placeOf(fileset, path), detail })
    }
    suspects = []
  }
  /** A version that is still recorded after the file was not found is lost: a server removes the records of files that it deletes. */
  async function isMissing(path: string, before: readonly string[]): Promise<boolean> {
    try {
      await storage.stat(parseFilePath(path), { signal })
      return false
    } catch (error) {
      if (!isAssayError(error, "not_found")) throw error
      const after = await versionsOf(path)
      return before.some((version) => after.includes(version))
    }
  }

  const recorded = recordedPaths(database, fileset.id)
  let record = await recorded.next()
  async function passRecords(before: string | undefined): Promise<void> {
    const isBefore = (path: string) => before === undefined || compareCodePoints(path, before) < 0
    while (record.done !== true && isBefore(record.value)) {
      suspects.push(record.value)
      if (suspects.length === SUSPECTS) await settleSuspects()
      record = await recorded.next()
    }
    if (record.done !== true && record.value === before) record = await recorded.next()
  }

  for await (const { path } of storage.list({ signal })) {
    await passRecords(path)
    yield path
  }
  await passRecords(undefined)
  await settleSuspects()
}

export function placeOf({ workspace, name }: Pick<FilesetRow, "workspace" | "name">, path: string): string {
  return `${workspace}/${name}#${path}`
}
