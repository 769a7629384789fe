import { importPromptfoo, writeImportedFiles } from "@assay/imports"
import type { Context } from "../../context.ts"
import { quotedWord } from "../../output/error-hints.ts"
import type { JsonOption } from "../action.ts"
import { parseModelAddress } from "./model-address.ts"
import { printImport } from "./print-import.ts"

export interface ImportPromptfooFileOptions extends JsonOption {
  readonly out: string
  readonly model?: string
  readonly judge?: string
  readonly force?: boolean
}

/** Runs `assay import promptfoo <file>`. */
export async function importPromptfooFile(
  context: Context,
  file: string,
  options: ImportPromptfooFileOptions,
): Promise<void> {
  const { files, rows, notes } = await importPromptfoo({
    file,
    cwd: context.cwd,
    out: options.out,
    model: parseModelAddress(options.model, "--model"),
    judge: parseModelAddress(options.judge, "--judge"),
  })
  await writeImportedFiles(files, options.force === true)
  const next = [`assay eval run ${quotedWord(options.out)}`]
  await printImport(context, options, { files: files.map(({ path }) => path), rows, notes, next })
}
