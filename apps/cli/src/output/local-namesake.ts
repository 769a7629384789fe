import { existsSync } from "node:fs"
import { resolve } from "node:path"
import type { AssayError } from "@assay/schemas/errors"
import type { Context } from "../context.ts"
import { isFolderName } from "../is-folder-name.ts"
import { printable } from "@assay/schemas/printable"

/** Matches the messages of errors about an argument that names nothing on the server. */
const NAMES_NOTHING = /^(Fileset|Workspace) '.*' (not found|does not exist)|does not name a fileset/

/**
 * A sentence about a file or folder of this machine that was taken for a fileset; undefined if there is none among the
 * words of the command line.
 */
export function localNamesake(
  { code, message }: AssayError,
  words: readonly string[],
  { cwd }: Pick<Context, "cwd">,
): string | undefined {
  if ((code !== "not_found" && code !== "bad_usage") || !NAMES_NOTHING.test(message)) return undefined
  const values = words.map((word) => (word.startsWith("--") ? word.slice(word.indexOf("=") + 1) : word))
  const word = values.find((value) => isNamed(message, value) && existsSync(resolve(cwd, value)))
  if (word === undefined) return undefined
  return `There is a file or folder '${printable(word)}' here; to mean it, write './${printable(word)}'.`
}

/** Whether the message is about this word: as it is written, or the fileset or workspace that it would name. */
function isNamed(message: string, word: string): boolean {
  if (word === "" || word.startsWith("-") || word.includes("\0") || isFolderName(word)) return false
  const [first = "", second] = word.split("/")
  return [word, second ?? first, first].some((name) => message.includes(`'${name}'`) || message.includes(`/${name}'`))
}
