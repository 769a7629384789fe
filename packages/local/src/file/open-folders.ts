import { existsSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import type { programFiles } from "@assay/evaluation"

/** The folders of files that an evaluation file may name. */
export type OpenFolders = Parameters<typeof programFiles.whyNotBelow>[1]

/** The files that an evaluation file may name besides those of its own folders. */
export interface AllowedFiles {
  /** Absolute paths of folders. */
  readonly folders: readonly string[]
  /** Whether rows and labels may be anywhere on this machine, unless they are hidden. Default false. */
  readonly rowsAnywhere?: boolean
}

/**
 * Returns the folders of files that an evaluation file may name: its own, the git repository that it is in, and others. A repository that contains the
 * home folder is not counted: a stranger did not write its files.
 * @param home the folder that `~` means
 */
export function openFolders(folder: string, others: readonly string[], home: string): OpenFolders {
  const repository = repositoryOf(folder)
  const isOfUser =
    repository === undefined || `${home}${sep}`.startsWith(repository === sep ? sep : `${repository}${sep}`)
  return [folder, ...(isOfUser ? [] : [repository]), ...others]
}

/** Returns the nearest folder, from this one up, that has `.git`. */
function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : repositoryOf(above)
}
