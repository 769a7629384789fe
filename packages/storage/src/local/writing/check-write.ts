import type { BigIntStats } from "node:fs"
import { AssayError } from "@assay/schemas"
import { quotePath, type FilePath } from "../../file-path.ts"
import type { WriteOptions } from "../../storage.ts"
import type { LocalContext } from "../context.ts"
import { outsideRoot, pathConflict } from "../errors.ts"
import { fileEtag, fileVersion } from "../file-version.ts"
import type { Folder } from "../folders/folder.ts"
import { lookUp, type Entry } from "../folders/look-up.ts"
import { joinPath, nameOf } from "../folders/root.ts"

/**
 * Checks whether a file may be written to `path` now. Returns the state of the file that would be replaced.
 * @throws `path_conflict`; `precondition_failed`; `bad_path` for a link that leads outside the root
 */
export async function checkWrite(
  local: LocalContext,
  folder: Folder,
  path: FilePath,
  options: Pick<WriteOptions, "ifMatch" | "ifNoneMatch">,
): Promise<BigIntStats | undefined> {
  const name = nameOf(path)
  const entry = await lookUp(local.root, folder.at(name), joinPath(folder.path, name))
  if (entry.kind === "outside") throw outsideRoot(path)
  if (entry.kind === "folder") throw pathConflict(path, "a folder")
  if (entry.kind === "special") throw pathConflict(path, "a special file")
  const { ifMatch, ifNoneMatch } = options
  if (ifNoneMatch !== undefined && entry.kind === "file") throw preconditionFailed(path, "it already exists")
  if (ifMatch !== undefined) await checkMatch(local, entry, path, ifMatch)
  return entry.kind === "file" ? entry.stats : undefined
}

async function checkMatch(local: LocalContext, entry: Entry, path: FilePath, ifMatch: string): Promise<void> {
  if (entry.kind !== "file") throw preconditionFailed(path, "it does not exist")
  if (ifMatch === "*") return
  const isDamaged = local.checks?.isDamaged(entry.stats) === true
  const sha256 = isDamaged ? undefined : await local.digests.get(fileVersion(entry.path, entry.stats))
  const etag = fileEtag(entry.stats, sha256)
  if (etag !== ifMatch) throw preconditionFailed(path, `its ETag is ${etag}, not ${ifMatch}`)
}

export function preconditionFailed(path: FilePath, why: string): AssayError {
  const message = `File ${quotePath(path)} was not written: ${why}. Read its current ETag and decide again.`
  return new AssayError("precondition_failed", message, { context: { storage: "local", path } })
}
