import { resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { parseTrustedKeys, readPemFiles, type TrustedKeys } from "@assay/signatures"
import type { Context } from "../../context.ts"
import { shownPath } from "../eval/run-end.ts"

const VARIABLE = "ASSAY_TRUSTED_KEYS"

/** Reads the keys and certificates of `--key`, or of ASSAY_TRUSTED_KEYS. */
export async function trustedKeysOf(context: Context, paths: readonly string[] | undefined): Promise<TrustedKeys> {
  const variable = context.env[VARIABLE]
  const named = paths ?? (variable === undefined || variable === "" ? [] : [variable])
  if (named.length === 0) {
    throw new AssayError("bad_usage", `Name whose signatures you trust: --key with a file or a folder, or ${VARIABLE}.`)
  }
  const trusted = named.map((one) => resolve(context.cwd, one))
  return parseTrustedKeys(await readPemFiles(trusted, (path) => shownPath(context, path)))
}
