/** What a `files_url` names: row files of a fileset. */
export interface FilesUrl {
  /** As it was written, for messages. */
  readonly text: string
  readonly workspace: string
  /** Of the fileset. */
  readonly name: string
  /** A file, a folder (with or without a slash at its end) or a glob; undefined: every row file. */
  readonly path: string | undefined
}
