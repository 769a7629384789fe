import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { text } from "node:stream/consumers"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../context.ts"

/** Reads an option that is JSON, `@file` with JSON in it, or `-` for JSON on stdin. @throws `bad_usage` */
export async function readJsonArgument(context: Context, option: string, argument: string): Promise<unknown> {
  const written = await readArgument(context, option, argument)
  try {
    return JSON.parse(written)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError("bad_usage", `${option} is not JSON: ${why}. Give JSON, @FILE, or - for stdin.`, { cause })
  }
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
