import { readdir, stat } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import { readPublicKey, type TrustedKey } from "@assay/evidence"
import { localFailure, readLocalText } from "@assay/storage"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"

const MAX_KEYS = 1000

/**
 * Reads the public keys that are trusted: a file in PEM, or all files of a folder that end in `.pem` or `.pub`. Without a name, those of the
 * folder in ASSAY_TRUSTED_KEYS; none if it is not set.
 * @throws `bad_document` for a file that is not a public key, `bad_usage` for a folder without keys
 */
export async function readTrustedKeys(
  { cwd, env }: Context,
  given: string | undefined,
): Promise<readonly TrustedKey[]> {
  const name = given ?? (env["ASSAY_TRUSTED_KEYS"] || undefined)
  if (name === undefined) return []
  const path = resolve(cwd, name)
  try {
    if (!(await stat(path)).isDirectory()) return [await readKey(path, name)]
    const names = (await readdir(path)).filter((one) => /\.(?:pem|pub)$/i.test(one)).toSorted()
    if (names.length === 0 || names.length > MAX_KEYS) {
      const message = `'${printable(name)}' has ${names.length} files that end in .pem or .pub; a folder of trusted keys has 1 to ${MAX_KEYS}.`
      throw new AssayError("bad_usage", message)
    }
    return await Promise.all(names.map((one) => readKey(join(path, one), one)))
  } catch (error) {
    throw localFailure(error, "read", path)
  }
}

async function readKey(path: string, name: string): Promise<TrustedKey> {
  return { ...readPublicKey(await readLocalText(path), name), name: basename(name) }
}
