import { importLmEval, writeImportedFiles } from "@assay/imports"
import type { Context } from "../../context.ts"
import { quotedWord } from "../../output/error-hints.ts"
import { AssayError } from "@assay/schemas/errors"
import type { JsonOption } from "../action.ts"
import { parseModelAddress } from "./model-address.ts"
import { printImport } from "./print-import.ts"

export interface ImportLmEvalTaskOptions extends JsonOption {
  readonly out: string
  readonly model?: string
  readonly data?: string
  readonly shots?: string
  readonly chat?: boolean
  readonly force?: boolean
}

/** Runs `assay import lm-eval <task>`. */
export async function importLmEvalTask(
  context: Context,
  file: string,
  options: ImportLmEvalTaskOptions,
): Promise<void> {
  const { out, data, shots, chat = false, force = false } = options
  const model = parseModelAddress(options.model, "--model")
  if (model === undefined) {
    throw new AssayError(
      "bad_usage",
      "A task names no model; give --model URL#name, such as http://127.0.0.1:8000/v1#base.",
    )
  }
  const { files, notes } = await importLmEval({ file, cwd: context.cwd, out, model, data, shots, isChat: chat })
  await writeImportedFiles(files, force)
  const next = [`assay eval run ${quotedWord(out)}`]
  await printImport(context, options, { files: files.map(({ path }) => path), notes, next })
}
