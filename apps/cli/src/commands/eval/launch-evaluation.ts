import type { Client } from "@assay/client"
import { applyOverrides, isLocalPlace, withKeys, type JobOverrides } from "@assay/evaluation"
import type { EvaluationConfigBody, EvaluationJob, LaunchBody } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { printable } from "@assay/schemas/printable"
import type { JsonOption } from "../action.ts"
import { KEY_VARIABLE } from "../guard/resolve-key.ts"
import { print } from "../print.ts"
import { readEvaluationFile, type OpenedEvaluationFile } from "./evaluation-file.ts"
import { createProgressReporter } from "@assay/reports/terminal/evaluations"
import { uploadInputs } from "./upload-inputs.ts"

export interface LaunchOptions extends JsonOption, JobOverrides {
  readonly server?: string
  readonly skipChecks?: boolean
}

/** `assay eval launch <file>` */
export async function launchEvaluation(given: Context, name: string, options: LaunchOptions): Promise<void> {
  const context = withServer(given, options.server)
  const client = openClient(context)
  const reporter = createProgressReporter(context, options)
  const job = await launchFile(context, {
    file: await readEvaluationFile(context, name),
    overrides: overridesOf(options),
    skipChecks: options.skipChecks === true,
    client,
    say: (text) => reporter.say(text),
  })
  await print(context, options, job, ({ id, status }) => `launched ${id} (${status})\n    assay eval watch ${id}\n`)
}

/** Returns the context for the server that `--server` names. */
export function withServer(context: Context, server: string | undefined): Context {
  return server === undefined ? context : { ...context, env: { ...context.env, ASSAY_URL: server } }
}

/** Picks the options that replace values of the configuration, if they were given. */
export function overridesOf({ limit, parallelism, maxFail }: JobOverrides): JobOverrides {
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(parallelism === undefined ? {} : { parallelism }),
    ...(maxFail === undefined ? {} : { maxFail }),
  }
}

export interface LaunchFileOptions {
  readonly file: OpenedEvaluationFile
  readonly overrides: JobOverrides
  readonly skipChecks: boolean
  readonly client: Client
  /** Receives sentences about the rows that were sent. */
  readonly say: (text: string) => void
}

/** Launches a file on a server. Its rows are sent first, and its keys with the launch. @throws `launch_refused` */
export async function launchFile(context: Context, options: LaunchFileOptions): Promise<EvaluationJob> {
  const { file, overrides, skipChecks, client, say } = options
  const { gates: _gates, output, namespace = defaultWorkspace(context), ...content } = file.content
  const config = await configOf(context, content.config, { overrides, namespace, client })
  const inline = {
    ...(typeof content.target === "string" ? {} : { target: content.target }),
    ...(typeof config === "string" ? {} : { config }),
  }
  const sent = await uploadInputs(context, inline, { namespace, folder: file.folder, client, say })
  const body: LaunchBody = {
    ...content,
    namespace,
    config,
    ...withKeys({ env: context.env, defaultVariable: KEY_VARIABLE }, sent),
    ...(output === undefined || isLocalPlace(output) ? {} : { output_files_url: output }),
  }
  return client.evaluation.jobs.launch(body, { skipChecks, signal: context.signal })
}

/** Returns the configuration with the overrides applied. Fetches a configuration that is only named if there are overrides. */
async function configOf(
  { signal }: Context,
  config: LaunchBody["config"],
  { overrides, namespace, client }: { overrides: JobOverrides; namespace: string; client: Client },
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
  } = await client.evaluation.configs.get(workspace, name, { signal })
  return applyOverrides(body satisfies EvaluationConfigBody, overrides)
}
