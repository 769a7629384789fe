import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { text } from "node:stream/consumers"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../context.ts"
import { printable } from "../output/printable.ts"
import { parseStructured } from "./parse-structured.ts"

/** Reads an option that names a file with JSON or YAML in it, or is `-` for stdin. @throws `bad_usage` */
export async function readJsonFile({ stdin, cwd }: Context, option: string, file: string): Promise<unknown> {
  const written = file === "-" ? await text(stdin) : await readText(resolve(cwd, file), option)
  return parseStructured(written, `${option} '${printable(file)}'`)
}

async function readText(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    throw new AssayError("bad_usage", `${option} names the file '${printable(file)}', which can't be read.`, { cause })
  }
}
