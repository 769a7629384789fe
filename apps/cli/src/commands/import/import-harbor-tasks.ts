import { resolve } from "node:path"
import { importHarbor, writeImportedFiles } from "@assay/imports"
import type { Context } from "../../context.ts"
import { quotedWord } from "../../output/error-hints.ts"
import type { JsonOption } from "../action.ts"
import { parseModelAddress } from "./model-address.ts"
import { printImport } from "./print-import.ts"

export interface ImportHarborTasksOptions extends JsonOption {
  readonly out: string
  readonly agent: string
  readonly agentFiles?: string
  readonly model?: string
  readonly force?: boolean
}

/** The address of the fake endpoint, which nothing asks if the solutions of tasks are run. */
const FAKE = { url: "http://127.0.0.1:9000/v1", name: "agent" }

/** Runs `assay import harbor <folder>`. */
export async function importHarborTasks(
  context: Context,
  folder: string,
  options: ImportHarborTasksOptions,
): Promise<void> {
  const { cwd } = context
  const { out, agent, agentFiles, force = false } = options
  const model = parseModelAddress(options.model, "--model") ?? FAKE
  const ofAgent = agentFiles === undefined ? undefined : resolve(cwd, agentFiles)
  const { files, notes } = await importHarbor({ folder, cwd, out, model, agent, agentFiles: ofAgent })
  await writeImportedFiles(files, force)
  const written = files.filter(({ path }) => path.endsWith(".yaml") || path.endsWith("run.sh"))
  // No model is asked for the solutions, so there is no endpoint to check.
  const next = [`assay eval run ${quotedWord(out)}${agent === "oracle" ? " --skip-checks" : ""}`]
  await printImport(context, options, { files: written.map(({ path }) => path), notes, next })
}
