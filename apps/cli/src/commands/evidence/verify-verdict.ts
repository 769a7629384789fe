import { resolve } from "node:path"
import { type BundleFile, formatVerification, type Verification, verifyBundle } from "@assay/evidence"
import { evidenceSides } from "@assay/local"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { readVersion } from "../../read-version.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { evidencePorts } from "./evidence-ports.ts"
import { readTrustedKeys } from "./trusted-keys.ts"

export interface VerifyOptions extends JsonOption {
  readonly key?: string
  readonly rows?: readonly string[]
}

/**
 * Runs `assay verify <file>`: computes a verdict again from what was signed. Returns 1 if something differs, and 3 if no trusted key has signed it
 * or rows are out of reach.
 */
export async function verifyVerdict(context: Context, name: string, options: VerifyOptions): Promise<ExitCode> {
  const trusted = await readTrustedKeys(context, options.key)
  await using opened = new AsyncDisposableStack()
  const open = async (path: string) => opened.use(await evidenceSides.openFile(resolve(context.cwd, path))).file
  const file = await open(name)
  const rows: BundleFile[] = []
  for (const path of options.rows ?? []) rows.push(await open(path))
  const found = await verifyBundle(file, { ...evidencePorts(context), trusted, rows })
  await print(context, options, found, () => formatVerification(found, { assay: readVersion() }))
  return exitCodeOf(found)
}

function exitCodeOf({ valid, differences_total: differences }: Verification): ExitCode {
  if (valid) return EXIT.done
  return differences > 0 ? EXIT.no : EXIT.inconclusive
}
