import { AssayError } from "@assay/schemas"

/** The files of a program as texts by their paths. */
export interface ProgramTexts {
  readonly files: Readonly<Record<string, string>>
  /** The fileset with its files, which nobody has read. A job whose outputs exist does not start the program. */
  readonly unread?: string
}

export function programTexts(files: ProgramTexts["files"] | string = {}): ProgramTexts {
  return typeof files === "string" ? { files: {}, unread: files } : { files }
}

/** Checks that a program has its files before it is started. @throws `invalid_request` */
export function checkFilesRead({ unread }: ProgramTexts): void {
  if (unread === undefined) return
  const message = `The files of a program are in '${unread.slice(0, 200)}', which was not read: launch the job on a server, or run it with one.`
  throw new AssayError("invalid_request", message)
}
