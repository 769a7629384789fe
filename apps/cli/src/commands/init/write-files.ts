import { existsSync } from "node:fs"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { writeFile } from "../../output/write-file.ts"
import { shownPath } from "../eval/run-end.ts"

/** A file to write, and its text. */
export interface FileToWrite {
  /** Absolute path. */
  readonly path: string
  readonly text: string
  /** Keep an existing file as it is. Default false. */
  readonly isKept?: boolean
}

/** Checks that no file is replaced, unless `force` is given. @throws `path_conflict` */
export function checkFree(context: Context, paths: readonly string[], force: boolean): void {
  const taken = force ? undefined : paths.find((path) => existsSync(path))
  if (taken === undefined) return
  const message = `${printable(shownPath(context, taken))} exists and is left as it is: add --force to replace it, or --out FILE for another name.`
  throw new AssayError("path_conflict", message)
}

/** Writes files. Returns their names, as commands take them. */
export async function writeFiles(context: Context, files: readonly FileToWrite[]): Promise<readonly string[]> {
  const written: string[] = []
  for (const { path, text, isKept = false } of files) {
    if (isKept && existsSync(path)) continue
    await writeFile(path, text)
    written.push(shownPath(context, path))
  }
  return written
}
