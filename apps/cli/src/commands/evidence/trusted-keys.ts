import { basename, resolve } from "node:path"
import { readPublicKey, type TrustedKey } from "@assay/evidence"
import { readPemFiles } from "@assay/signatures"
import type { Context } from "../../context.ts"

/** Roots of signatures of models can be in the same folder. A bundle is signed by a key alone. */
const CERTIFICATE = "-----BEGIN CERTIFICATE-----"

/**
 * Reads the public keys that are trusted: a file in PEM, or those of a folder. Without a name, those in ASSAY_TRUSTED_KEYS; none if it is not
 * set. Certificates in a folder are left out.
 * @throws `bad_document` for a file that is not a public key, `bad_usage` for a folder without keys
 */
export async function readTrustedKeys(
  { cwd, env }: Context,
  given: string | undefined,
): Promise<readonly TrustedKey[]> {
  const name = given ?? (env["ASSAY_TRUSTED_KEYS"] || undefined)
  if (name === undefined) return []
  const path = resolve(cwd, name)
  const files = await readPemFiles([path])
  return [...files].flatMap(([file, text]) => {
    if (file !== path && text.includes(CERTIFICATE)) return []
    return [{ ...readPublicKey(text, file === path ? name : basename(file)), name: basename(file) }]
  })
}
