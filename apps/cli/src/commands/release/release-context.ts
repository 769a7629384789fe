import { readEvaluationFile, type ReleaseContext } from "@assay/local"
import { parseYaml } from "@assay/validation"
import type { Context } from "../../context.ts"
import { defaultWorkspace } from "../../open-client.ts"
import { allowedFiles, type FolderOptions } from "../eval/file/read-evaluation.ts"
import { localPorts } from "../eval/run-here.ts"

/** Returns what deciding a release uses of this machine. A policy may name files below the working folder. */
export function releaseContext(context: Context, options: FolderOptions): ReleaseContext {
  const { folders, ...rows } = allowedFiles(context, options)
  const allowed = { ...rows, folders: [context.cwd, ...folders] }
  return {
    ports: localPorts(context, { telemetry: undefined, prices: undefined }),
    cwd: context.cwd,
    workspace: defaultWorkspace(context),
    signal: context.signal,
    readFile: (name, folder) => readEvaluationFile(name, { ...context, cwd: folder, allowed, parse: parseYaml }),
  }
}
