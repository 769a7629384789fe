import { importInspect } from "@assay/imports"
import type { Context } from "../../context.ts"
import { quotedWord } from "../../output/error-hints.ts"
import type { JsonOption } from "../action.ts"
import { printImport } from "./print-import.ts"

export interface ImportInspectLogOptions extends JsonOption {
  readonly out: string
  readonly force?: boolean
}

/** Runs `assay import inspect <log>`. */
export async function importInspectLog(
  context: Context,
  file: string,
  options: ImportInspectLogOptions,
): Promise<void> {
  const { cwd, signal } = context
  const { out, force = false } = options
  const imported = await importInspect({ file, cwd, out, force, signal })
  await printImport(context, options, { ...imported, next: [`assay eval run ${quotedWord(out)}`] })
}
