import { importTraces } from "@assay/imports"
import type { Context } from "../../context.ts"
import { quotedWord } from "../../output/error-hints.ts"
import type { JsonOption } from "../action.ts"
import { parseModelAddress } from "./model-address.ts"
import { printImport } from "./print-import.ts"

export interface ImportTraceFileOptions extends JsonOption {
  readonly out: string
  readonly model?: string
  readonly force?: boolean
}

/** Runs `assay import traces <file>`. */
export async function importTraceFile(context: Context, file: string, options: ImportTraceFileOptions): Promise<void> {
  const { cwd, signal } = context
  const { out, force = false } = options
  const model = parseModelAddress(options.model, "--model")
  const imported = await importTraces({ file, cwd, out, model, force, signal })
  await printImport(context, options, { ...imported, next: [`assay eval run ${quotedWord(out)}`] })
}
