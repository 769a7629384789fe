import { linkSync, renameSync, unlinkSync, type BigIntStats } from "node:fs"
import { rename } from "node:fs/promises"
import { AssayError } from "@assay/schemas"
import { nameOf, quotePath, type FilePath } from "../../file-path.ts"
import type { LocalContext } from "../context.ts"
import { NO_LINKS, systemCode } from "../errors.ts"
import type { Folder } from "../folders/folder.ts"
import { metadataCalls } from "../folders/metadata-calls.ts"
import { linkVersion, settleVersion, type Keeping } from "../history/keep-version.ts"
import { removeHidden } from "./remove-hidden.ts"
import { TEMPORARY_PREFIX, type TemporaryFile } from "./temporary-file.ts"

interface Naming {
  /** Whether the name must be free. */
  readonly isNew: boolean
  /** The file that has the name now. */
  readonly replaced: BigIntStats | undefined
  /** The record of that file, if its bytes are kept. */
  readonly keeping: Keeping | undefined
}

/** Gives the file its name and waits for the disk. If the disk fails, the name leads to the former file again. */
export async function publishName(
  local: LocalContext,
  temporary: TemporaryFile,
  path: FilePath,
  naming: Naming,
): Promise<void> {
  const { folder, name } = temporary
  const to = nameOf(path)
  const isReplacing = naming.replaced !== undefined
  const former = isReplacing ? await keepFormer(local, folder, to, naming.keeping) : undefined
  let isSettled = false
  try {
    if (naming.isNew) giveNewName(folder, name, path)
    else await giveName(folder, name, to, isReplacing && former === undefined)
    if (local.durable) await settleName(local, folder, { to, former, isReplacing })
    isSettled = true
  } finally {
    if (former !== undefined && !(isSettled && former.isKept)) await removeHidden(former.location)
  }
}

/** The second name of a file that is replaced. */
interface FormerName {
  readonly location: string
  /** Whether it stays, in the history. */
  readonly isKept: boolean
}

/** Gives the former file a second name until the new one is on the disk, or for longer. Returns undefined if the file system has no hard links. */
async function keepFormer(
  local: LocalContext,
  folder: Folder,
  to: string,
  keeping: Keeping | undefined,
): Promise<FormerName | undefined> {
  if (keeping !== undefined && (await linkVersion(local, folder, to, keeping))) {
    return { location: keeping.location, isKept: true }
  }
  if (!local.durable) return undefined
  const location = folder.at(`${TEMPORARY_PREFIX}${local.newId()}`)
  try {
    linkSync(folder.at(to), location)
    return { location, isKept: false }
  } catch (error) {
    if (NO_LINKS.has(systemCode(error))) return undefined
    throw error
  }
}

interface NewName {
  readonly to: string
  readonly former: FormerName | undefined
  readonly isReplacing: boolean
}

async function settleName(local: LocalContext, folder: Folder, { to, former, isReplacing }: NewName): Promise<void> {
  try {
    await Promise.all([
      local.locks.coalesce(folder.real, () => folder.sync()),
      local.digests.settle(),
      former?.isKept === true ? settleVersion(local) : undefined,
    ])
  } catch (error) {
    if (former !== undefined) renameSync(former.location, folder.at(to))
    else if (!isReplacing) unlinkSync(folder.at(to))
    throw error
  }
}

/** Renames synchronously, as in `metadataCalls`, unless the blocks of a replaced file are freed by it. */
async function giveName(folder: Folder, from: string, to: string, frees: boolean): Promise<void> {
  if (frees) await rename(folder.at(from), folder.at(to))
  else renameSync(folder.at(from), folder.at(to))
}

/**
 * Gives a file a new name only if that name is free. The system decides between two writers, even if one takes no lock.
 */
function giveNewName(folder: Folder, from: string, path: FilePath): void {
  const to = folder.at(nameOf(path))
  try {
    linkSync(folder.at(from), to)
  } catch (error) {
    const code = systemCode(error)
    if (code === "EEXIST" && !isOneFile(folder.at(from), to)) throw preconditionFailed(path, "it already exists")
    if (code !== "EEXIST" && !NO_LINKS.has(code)) throw error
    if (code !== "EEXIST") {
      renameSync(folder.at(from), to)
      return
    }
  }
  try {
    unlinkSync(folder.at(from))
  } catch {
    // The file has its new name. The sweep at the next start removes the old one.
  }
}

/**
 * Returns whether both names are of one file. A network file system repeats `link()` if the response was lost, and then fails although the
 * first attempt gave the file its name.
 */
function isOneFile(one: string, other: string): boolean {
  try {
    const first = metadataCalls.at(one)
    const second = metadataCalls.at(other)
    return first.ino === second.ino && first.dev === second.dev
  } catch {
    return false
  }
}

export function preconditionFailed(path: FilePath, why: string): AssayError {
  const message = `File ${quotePath(path)} was not written: ${why}. Read its current ETag and decide again.`
  return new AssayError("precondition_failed", message, { context: { storage: "local", path } })
}
