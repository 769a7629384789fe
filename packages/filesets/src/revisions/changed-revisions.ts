import { AssayError } from "@assay/schemas"
import type { OpenedFileset } from "./current/current-revisions.ts"
import { createFileMemory } from "./file-memory.ts"
import { filesInMemory } from "./ordered-files.ts"
import type { RevisionFile } from "./revision-file.ts"
import { revisionOf, type Revision } from "./revisions.ts"

/** The files after a change of the history. */
export interface ChangeFiles {
  /** Milliseconds since 1970, UTC. */
  readonly endedAt: number
  readonly title: string
  files(): AsyncIterable<RevisionFile>
}

/** Finds a change by its id. */
export type FindChange = (fileset: OpenedFileset, id: string) => Promise<ChangeFiles | undefined>

/** Maximum number of files of a revision that no commit has stored. They are in memory. */
const MAX_FILES = 100_000

/** Milliseconds after which a change does not grow any more. */
const SETTLED_MS = 60_000

/** Creates a function that returns the revision after a change. Keeps some of them in memory, because clients read file after file. */
export function createChangedRevisions(
  findChange: FindChange,
  now: () => number,
): (fileset: OpenedFileset, id: string) => Promise<Revision | undefined> {
  const memory = createFileMemory<Revision>({ maxFiles: MAX_FILES, filesOf: ({ files }) => files.held })
  return async (fileset, id) => {
    const known = memory.get(fileset.id, id)
    if (known !== undefined) return known
    const change = await findChange(fileset, id)
    if (change === undefined) return undefined
    const files: RevisionFile[] = []
    for await (const file of change.files()) {
      if (files.length === MAX_FILES) throw tooMany(fileset, id)
      files.push(file)
    }
    const revision = revisionOf({ commit: id, createdAt: change.endedAt, title: change.title }, filesInMemory(files))
    if (now() - change.endedAt > SETTLED_MS) memory.put(fileset.id, id, revision)
    return revision
  }
}

function tooMany({ workspace, name }: OpenedFileset, id: string): AssayError {
  const text = `'${workspace}/${name}' has more than ${MAX_FILES} files after the change ${id}, and only commits of that size can be read. Restore it first.`
  return new AssayError("bad_request", text)
}
