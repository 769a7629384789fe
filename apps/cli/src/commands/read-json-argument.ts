import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { text } from "node:stream/consumers"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../context.ts"
import { printable } from "../output/printable.ts"
import { parseStructured } from "./parse-structured.ts"

/** Reads an option that is JSON or YAML, `@file` with it, or `-` for stdin. @throws `bad_usage` */
export async function readJsonArgument(context: Context, option: string, argument: string): Promise<unknown> {
  const name = argument.startsWith("@") ? `${option} '${printable(argument.slice(1))}'` : option
  return parseStructured(await readArgument(context, option, argument), name)
}

async function readArgument({ stdin, cwd }: Context, option: string, argument: string): Promise<string> {
  if (argument === "-") return text(stdin)
  if (!argument.startsWith("@")) return argument
  const file = resolve(cwd, argument.slice(1))
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    throw new AssayError("bad_usage", `${option} names the file '${file}', which can't be read.`, { cause })
  }
}
