import { constants, type BigIntStats } from "node:fs"
import { dirname } from "node:path"
import { isAssayError } from "@assay/schemas"
import { folderOf, joinPath, nameOf, type FilePath } from "../../file-path.ts"
import { openRegularFileSync } from "../../regular-file.ts"
import { fileChanged, fileNotFound, isMissing, outsideRoot, systemCode } from "../errors.ts"
import { lookUp } from "../folders/folder.ts"
import { metadataCalls, realPathOf } from "../folders/metadata-calls.ts"
import { pathWithin, resolveFolder, systemPath } from "../folders/root.ts"
import { readableFile, type ReadableFile } from "./readable-file.ts"

/** Do not follow a link at the end of the path. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW

export interface FoundFile {
  /** The path relative to the root, with links resolved. */
  readonly realPath: string
  readonly stats: BigIntStats
}

/**
 * Finds a file.
 * @throws `not_found` for anything that is not a file; `bad_path` for a path outside the root
 */
export async function findFile(root: string, path: FilePath): Promise<FoundFile> {
  const folder = await resolveFolder(root, folderOf(path)).catch((error: unknown) => {
    throw isMissing(error) ? fileNotFound(path) : error
  })
  const realPath = joinPath(folder, nameOf(path))
  const entry = await lookUp(root, systemPath(root, realPath), realPath)
  if (entry.kind === "outside") throw outsideRoot(path)
  if (entry.kind !== "file") throw fileNotFound(path)
  return { realPath: entry.path, stats: entry.stats }
}

/**
 * Finds a file without resolving links. If its folder is behind a link, `openFound` refuses it. Returns undefined if there is no
 * file at the path or if the system reports an error.
 */
export function findWithoutLinks(root: string, path: FilePath): FoundFile | undefined {
  try {
    const stats = metadataCalls.find(systemPath(root, path))
    return stats?.isFile() === true ? { realPath: path, stats } : undefined
  } catch {
    return undefined
  }
}

/**
 * Opens a found file.
 * @throws `storage_changed` if the file or its folder was replaced meanwhile, or if its path contains a link
 */
export async function openFound(root: string, { realPath }: FoundFile, path: FilePath): Promise<ReadableFile> {
  const file = openAtOnce(systemPath(root, realPath), path)
  try {
    const { real } = await realPathOf(file, systemPath(root, realPath))
    // Compare only the folder: the system marks the name of a file that was replaced meanwhile.
    if ((await pathWithin(root, dirname(real))) !== folderOf(realPath)) throw fileChanged(path)
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

function openAtOnce(systemName: string, path: FilePath): ReadableFile {
  try {
    return readableFile(openRegularFileSync(systemName, FLAGS))
  } catch (error) {
    const hasGone = isMissing(error) || systemCode(error) === "ELOOP" || isAssayError(error, "local_file_failed")
    throw hasGone ? fileChanged(path) : error
  }
}
