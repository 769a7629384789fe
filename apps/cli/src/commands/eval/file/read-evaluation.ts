import { delimiter, resolve } from "node:path"
import { checkKeys, type EvaluationFileJobs, locateFaults, readEvaluationFile } from "@assay/local"
import { parseYaml } from "@assay/validation"
import type { Context } from "../../../context.ts"
import { keyVariables } from "../../guard/inference-key.ts"

/** The variable with folders whose files evaluation files may name, separated as in PATH. */
const FOLDERS_VARIABLE = "ASSAY_ALLOWED_FOLDERS"

export interface FolderOptions {
  /** Folders that `--allow-folder` names. */
  readonly allowFolder?: readonly string[]
}

/** Reads an evaluation file, which may name files of its own folder, the working folder, and folders that the user allows. @throws `bad_document`, `not_found` */
export async function readEvaluation(
  context: Context,
  name: string,
  options: FolderOptions = {},
): Promise<EvaluationFileJobs> {
  return readEvaluationFile(name, { ...context, allowed: allowedFiles(context, options), parse: parseYaml })
}

/**
 * Checks the keys of all jobs of a file before the first of them is asked. A single job checks its own when it begins.
 * @throws `key_not_allowed`, `bad_settings`
 */
export function checkKeysOf(context: Context, files: EvaluationFileJobs, isServed: boolean): void {
  if (files.length === 1) return
  for (const { content, document } of files) {
    const { target, config } = content
    try {
      checkKeys(keyVariables(context), { target, config }, { isServed })
    } catch (error) {
      throw locateFaults.inRefusal(error, document)
    }
  }
}

/** Returns the files that the user allows. If the variable is set, also to an empty text, rows have to be in its folders, too. */
export function allowedFiles({ cwd, env }: Context, { allowFolder = [] }: FolderOptions) {
  const listed = env[FOLDERS_VARIABLE]?.split(delimiter).filter((folder) => folder !== "")
  const folders = [...allowFolder, ...(listed ?? [])].map((folder) => resolve(cwd, folder))
  return { folders, rowsAnywhere: listed === undefined }
}
