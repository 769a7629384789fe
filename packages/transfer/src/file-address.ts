import { AssayError } from "@assay/schemas/errors"

/** A fileset of a server, or a file or folder in it. */
export interface FileAddress {
  readonly workspace: string
  readonly fileset: string
  /** Path of a file or a folder in the fileset. Absent: the whole fileset. */
  readonly path?: string
}

/** Matches paths of this machine, which no server is asked about. */
const LOCAL = /^(?:\.{0,2}|~)\/./s
const SHAPE = /^(?:([^/#]+)\/)?([^/#]+)(?:#(.*))?$/s

/**
 * Parses `workspace/fileset`, `fileset`, `workspace/fileset#path` or `fileset#path`.
 * @param ownWorkspace the workspace of a text without a workspace
 * @throws `bad_usage`
 */
export function parseFileAddress(text: string, ownWorkspace: string): FileAddress {
  if (LOCAL.test(text)) {
    const message = `'${text}' is a path of this machine, and a fileset is needed here: write it like default/reviews.`
    throw new AssayError("bad_usage", message)
  }
  const [, workspace = ownWorkspace, fileset, path] = SHAPE.exec(text) ?? []
  if (fileset !== undefined) return { workspace, fileset, ...(path === undefined ? {} : { path }) }
  const message = `'${text}' does not name a fileset: write it like default/reviews or default/reviews#train/a.csv.`
  const meant = /^([^/#]+\/[^/#]+)\/([^/#][^#]*)$/s.exec(text)
  throw new AssayError("bad_usage", message, {
    context: meant === null ? {} : { remedy: `A path comes after '#': write '${meant[1]}#${meant[2]}'.` },
  })
}

/** Parses the address of a whole fileset. @throws `bad_usage` if it has a path */
export function parseFilesetAddress(text: string, ownWorkspace: string): FileAddress {
  const { path = "", ...address } = parseFileAddress(text, ownWorkspace)
  if (path === "") return address
  throw new AssayError(
    "bad_usage",
    `'${text}' names a file, and this command takes a whole fileset: leave out '#${path}'.`,
  )
}

/** Parses the address of a file or a folder in a fileset. @throws `bad_usage` if it has no path */
export function parsePathAddress(text: string, ownWorkspace: string): Required<FileAddress> {
  const { workspace, fileset, path } = parseFileAddress(text, ownWorkspace)
  if (path !== undefined) return { workspace, fileset, path }
  throw new AssayError(
    "bad_usage",
    `'${text}' does not name a file: write it like ${workspace}/${fileset}#train/a.csv.`,
  )
}

/** Formats an address as people write it: `workspace/fileset` or `workspace/fileset#path`. */
export function formatFileAddress({ workspace, fileset, path }: FileAddress): string {
  return `${workspace}/${fileset}${path === undefined ? "" : `#${path}`}`
}
