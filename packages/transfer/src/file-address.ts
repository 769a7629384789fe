/** A fileset of a server, or a file or folder in it. */
export interface FileAddress {
  readonly workspace: string
  readonly fileset: string
  /** Path of a file or a folder in the fileset. Absent: the whole fileset. */
  readonly path?: string
}

/** Formats an address as people write it: `workspace/fileset` or `workspace/fileset#path`. */
export function formatFileAddress({ workspace, fileset, path }: FileAddress): string {
  return `${workspace}/${fileset}${path === undefined ? "" : `#${path}`}`
}
