import { isAssayError } from "@assay/schemas"
import { compareCodePoints, parseFilePath, type FilePath, type Storage } from "@assay/storage"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { CheckFilesOptions } from "./integrity.ts"
import { recordedPaths, recordedVersions } from "./recorded-files.ts"

/** Missing files that are looked at again together. */
const SUSPECTS = 500

/** Milliseconds in which a server that has deleted a file forgets its digest. */
const SETTLE_MS = 500

/**
 * Lists the files of a fileset beside the paths on record, both in order. Tells of those that are on record alone, unless
 * a server deletes them just now.
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
  /** A version that is on record before and after the file was not found is lost: a server forgets those that it deletes. */
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
