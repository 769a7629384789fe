import type { EvaluationConfig, EvaluationConfigBody, EvaluationJob, LaunchBody } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"
import { isLocalPlace } from "../../datasets/files-url.ts"
import { withKeys, type KeyVariables } from "../endpoint-keys.ts"
import { applyOverrides, type JobOverrides } from "../job-overrides.ts"
import type { OpenedEvaluationFile } from "./evaluation-file.ts"
import { sendRows, type RowReceiver } from "./send-rows.ts"

/** The calls of a server that launches the job of a file. The HTTP client has them. */
export interface LaunchServer extends RowReceiver {
  readonly evaluation: {
    readonly configs: {
      get(workspace: string, name: string, call: { readonly signal: AbortSignal }): Promise<EvaluationConfig>
    }
    readonly jobs: {
      launch(
        body: LaunchBody,
        options: { readonly skipChecks: boolean; readonly signal: AbortSignal },
      ): Promise<EvaluationJob>
    }
  }
}

export interface LaunchFileOptions {
  readonly server: LaunchServer
  /** The workspace of a file that names none. */
  readonly workspace: string
  readonly overrides: JobOverrides
  readonly skipChecks: boolean
  readonly keys: KeyVariables
  /** The folder that `~` means. */
  readonly home: string
  /** Receives sentences about the rows that were sent. */
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/** Launches a file on a server. Its rows are sent first, and its keys with the launch. @throws `launch_refused` */
export async function launchFile(
  { content: { gates: _gates, output, ...content }, folder }: OpenedEvaluationFile,
  options: LaunchFileOptions,
): Promise<EvaluationJob> {
  const { server, skipChecks, keys, home, say, signal } = options
  const { namespace = options.workspace } = content
  const config = await configOf(content.config, namespace, options)
  const inline = {
    ...(typeof content.target === "string" ? {} : { target: content.target }),
    ...(typeof config === "string" ? {} : { config }),
  }
  const sent = await sendRows(inline, { server, workspace: namespace, folder, home, say, signal })
  const body: LaunchBody = {
    ...content,
    namespace,
    config,
    ...withKeys(keys, sent),
    ...(output === undefined || isLocalPlace(output) ? {} : { output_files_url: output }),
  }
  return server.evaluation.jobs.launch(body, { skipChecks, signal })
}

/** Returns the configuration with the overrides applied. Fetches a configuration that is only named if there are overrides. */
async function configOf(
  config: LaunchBody["config"],
  namespace: string,
  { server, overrides, signal }: LaunchFileOptions,
): Promise<LaunchBody["config"]> {
  if (typeof config !== "string") return applyOverrides(config, overrides)
  if (Object.keys(overrides).length === 0) return config
  const [workspace, name, ...more] = config.includes("/") ? config.split("/") : [namespace, config]
  if (workspace === undefined || name === undefined || more.length > 0) {
    throw new AssayError("bad_usage", `'${printable(config)}' is not the workspace/name of a configuration.`)
  }
  const {
    id: _id,
    created_at: _created,
    updated_at: _updated,
    ...body
  } = await server.evaluation.configs.get(workspace, name, { signal })
  return applyOverrides(body satisfies EvaluationConfigBody, overrides)
}
