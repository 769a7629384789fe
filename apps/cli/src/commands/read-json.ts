import { resolve } from "node:path"
import { parseStructured } from "@assay/validation"
import { AssayError, isAssayError, messageOf } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { readLocalText, readStreamText } from "@assay/storage"
import type { Context } from "../context.ts"

/**
 * Reads the value of an option: JSON or YAML as text, in a file (`@file`), or on stdin (`-`). Undefined if the option was not given.
 * @throws `bad_document`, `local_file_failed`
 */
export async function readJsonArgument(
  context: Context,
  option: string,
  argument: string | undefined,
): Promise<unknown> {
  if (argument === undefined) return undefined
  if (argument === "-") return parseStructured(await readStreamText(context.stdin, context.signal), option)
  if (!argument.startsWith("@")) return parseStructured(argument, option)
  const file = argument.slice(1)
  return parseStructured(await readText(context, option, file), `${option} '${printable(file)}'`)
}

/** Reads the value of an option that names a file with JSON or YAML, or is `-` for stdin. @throws `bad_document` */
export async function readJsonFile(context: Context, option: string, file: string, isOfUser = false): Promise<unknown> {
  const written =
    file === "-" ? await readStreamText(context.stdin, context.signal) : await readText(context, option, file)
  return parseStructured(written, `${option} '${printable(file)}'`, isOfUser)
}

async function readText({ cwd, signal }: Context, option: string, file: string): Promise<string> {
  const path = resolve(cwd, file)
  try {
    return await readLocalText(path, signal)
  } catch (cause) {
    if (isAssayError(cause, "bad_document")) throw cause
    const message = `${option} names a file which can't be read: ${messageOf(cause)}`
    throw new AssayError("local_file_failed", message, { cause })
  }
}
