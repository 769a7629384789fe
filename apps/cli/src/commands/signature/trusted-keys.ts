import { readdir, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { parseTrustedKeys, type TrustedKeys } from "@assay/signatures"
import { localFailure, readLocalText } from "@assay/storage"
import type { Context } from "../../context.ts"
import { shownPath } from "../eval/run-end.ts"

const VARIABLE = "ASSAY_TRUSTED_KEYS"
const PEM_FILE = /\.(?:pem|pub|crt|cer)$/

/** Reads the keys and certificates of `--key`, or of ASSAY_TRUSTED_KEYS. In folders, those with a name that ends like a PEM file. */
export async function readTrustedKeys(context: Context, paths: readonly string[] | undefined): Promise<TrustedKeys> {
  const variable = context.env[VARIABLE]
  const named = paths ?? (variable === undefined || variable === "" ? [] : [variable])
  if (named.length === 0) {
    throw new AssayError("bad_usage", `Name whose signatures you trust: --key with a file or a folder, or ${VARIABLE}.`)
  }
  const files = new Map<string, string>()
  for (const one of named) {
    for (const file of await pemFiles(resolve(context.cwd, one))) {
      files.set(shownPath(context, file), await readLocalText(file))
    }
  }
  if (files.size > 0) return parseTrustedKeys(files)
  throw new AssayError(
    "bad_usage",
    `There is no file that ends in .pem, .pub, .crt or .cer in '${named.join("', '")}'.`,
  )
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
