import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { localFailure, readLocalText } from "@assay/storage"
import { parseTrustedKeys, type TrustedKeys } from "./trusted-keys.ts"

const PEM_FILE = /\.(?:pem|pub|crt|cer)$/

/**
 * Reads trusted keys and certificates from files, and from the files of folders that have names like PEM files. `paths` are absolute.
 * `nameOf` is the name of a file in messages and of its key as a signer. @throws `bad_usage` if there is none, `bad_signature` if one can't
 * be read
 */
export async function readTrustedKeys(
  paths: readonly string[],
  nameOf: (path: string) => string = (path) => path,
): Promise<TrustedKeys> {
  const files = new Map<string, string>()
  for (const path of paths) {
    for (const file of await pemFiles(path)) files.set(nameOf(file), await readLocalText(file))
  }
  if (files.size > 0 || paths.length === 0) return parseTrustedKeys(files)
  const named = paths.map((path) => `'${nameOf(path)}'`).join(", ")
  throw new AssayError("bad_usage", `There is no file that ends in .pem, .pub, .crt or .cer in ${named}.`)
}

async function pemFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = await readdir(path)
    return names
      .filter((name) => PEM_FILE.test(name))
      .toSorted()
      .map((name) => join(path, name))
  } catch (error) {
    throw localFailure(error, "read", path)
  }
}
