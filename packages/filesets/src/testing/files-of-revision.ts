import { runsOf } from "../revisions/ordered-files.ts"
import type { Revision } from "../revisions/revisions.ts"
import type { RevisionFile } from "../revisions/revision-file.ts"

/** Returns all files of a revision. */
export async function filesOf({ files }: Revision): Promise<readonly RevisionFile[]> {
  return (await Array.fromAsync(runsOf(files))).flat()
}
