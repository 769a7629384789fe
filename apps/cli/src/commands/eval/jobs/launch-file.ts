import type { Client } from "@assay/client"
import { isLocalPlace } from "@assay/evaluation"
import type { EvaluationConfigBody, EvaluationJob, LaunchBody } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { defaultWorkspace } from "../../../file-address.ts"
import { printable } from "../../../output/printable.ts"
import { applyOverrides, type Overrides } from "../file/apply-overrides.ts"
import type { OpenedEvaluationFile } from "../file/evaluation-file.ts"
import { uploadInputs } from "./upload-inputs.ts"
import { withKeys } from "./with-keys.ts"

export interface LaunchFileOptions {
  readonly file: OpenedEvaluationFile
  readonly overrides: Overrides
  readonly skipChecks: boolean | undefined
  readonly client: Client
  /** Tells what was sent. */
  readonly say: (text: string) => void
}

/** Launches a file on a server: its rows go there first, and its keys with it. @throws `launch_refused` */
export async function launchFile(context: Context, options: LaunchFileOptions): Promise<EvaluationJob> {
  const { file, overrides, skipChecks = false, client, say } = options
  const { gates: _held, output, namespace = defaultWorkspace(context), ...content } = file.content
  const config = await configOf(context, content.config, { overrides, namespace, client })
  const own = {
    ...(typeof content.target === "string" ? {} : { target: content.target }),
    ...(typeof config === "string" ? {} : { config }),
  }
  const sent = await uploadInputs(context, own, { namespace, folder: file.folder, client, say })
  const body: LaunchBody = {
    ...content,
    namespace,
    config,
    ...withKeys(context, sent),
    ...(output === undefined || isLocalPlace(output) ? {} : { output_files_url: output }),
  }
  return client.evaluation.jobs.launch(body, { skipChecks, signal: context.signal })
}

/** The configuration as it is launched: one that is only named is fetched where options win over it. */
async function configOf(
  { signal }: Context,
  config: LaunchBody["config"],
  { overrides, namespace, client }: { overrides: Overrides; namespace: string; client: Client },
): Promise<LaunchBody["config"]> {
  if (typeof config !== "string") return applyOverrides(config, overrides)
  if (Object.keys(overrides).length === 0) return config
  const [workspace, name, ...more] = config.includes("/") ? config.split("/") : [namespace, config]
  if (workspace === undefined || name === undefined || more.length > 0) {
    throw new AssayError("bad_usage", `'${printable(config)}' is no namespace/name of a configuration.`)
  }
  const {
    id: _id,
    created_at: _made,
    updated_at: _changed,
    ...body
  } = await client.evaluation.configs.get(workspace, name, { signal })
  return applyOverrides(body satisfies EvaluationConfigBody, overrides)
}
