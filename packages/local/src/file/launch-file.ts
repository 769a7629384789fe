import {
  type EvaluationConfig,
  type EvaluationConfigBody,
  type EvaluationJob,
  type LaunchBody,
  type LaunchCheckOutcome,
  type LaunchCheckProgress,
  printable,
  type RescoreBody,
} from "@assay/schemas"
import { launchOfContent, withGatesInJob } from "@assay/evaluation-files"
import type { KeyVariables } from "@assay/inference"
import { AssayError } from "@assay/schemas/errors"
import { withKeys } from "../endpoint-keys.ts"
import { applyOverrides, type JobOverrides } from "../job-overrides.ts"
import { type OpenedEvaluationFile, runName } from "./evaluation-file.ts"
import { sendRows, type RowReceiver } from "./send-rows.ts"

/** The calls of a server that receives a file. The HTTP client has them. */
interface FileServer<Jobs> extends RowReceiver {
  readonly evaluation: {
    readonly configs: {
      get(workspace: string, name: string, call: { readonly signal: AbortSignal }): Promise<EvaluationConfig>
    }
    readonly jobs: Jobs
  }
}

/** The calls of a server that launches the job of a file. */
export type LaunchServer = FileServer<{
  launch(
    body: LaunchBody,
    options: { readonly skipChecks: boolean; readonly signal: AbortSignal },
  ): Promise<EvaluationJob>
}>

/** The calls of a server that checks the job of a file. */
type CheckServer = FileServer<{
  check(
    body: LaunchBody,
    options: { readonly onCheck: (progress: LaunchCheckProgress) => void; readonly signal: AbortSignal },
  ): Promise<LaunchCheckOutcome>
}>

interface FileOptions {
  readonly server: FileServer<unknown>
  /** The workspace of a file that names none. */
  readonly workspace: string
  readonly overrides: JobOverrides
  readonly keys: KeyVariables
  /** The folder that `~` means. */
  readonly home: string
  /** Receives sentences about the rows that were sent. */
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

export interface LaunchFileOptions extends FileOptions {
  readonly server: LaunchServer
  readonly skipChecks: boolean
  /** Whether the job compares the gates of the file. Default false: the caller does, at its end. */
  readonly gatesInJob?: boolean | undefined
}

export interface CheckFileOptions extends FileOptions {
  readonly server: CheckServer
  /** Is called when a check begins and when it has ended. */
  readonly onCheck: (progress: LaunchCheckProgress) => void
}

/** Launches a file on a server. Its rows are sent first, and its keys with the launch. @throws `launch_refused` */
export async function launchFile(file: OpenedEvaluationFile, options: LaunchFileOptions): Promise<EvaluationJob> {
  const { server, skipChecks, gatesInJob = false, signal } = options
  const launched = gatesInJob ? { ...file, content: withGatesInJob(file.content) } : file
  return server.evaluation.jobs.launch(await sendFile(launched, options), { skipChecks, signal })
}

/** The calls of a server that scores the outputs of a job by a file. */
type RescoreServer = FileServer<{
  rescore(
    id: string,
    body: RescoreBody,
    options: { readonly skipChecks: boolean; readonly signal: AbortSignal },
  ): Promise<EvaluationJob>
}>

/**
 * Launches a job on a server that scores the outputs of another job by the metrics and gates of a file. Labels and keys of the file are sent, its rows are not.
 * @throws `launch_refused`
 */
async function rescoreFile(
  file: OpenedEvaluationFile,
  source: Pick<EvaluationJob, "id" | "namespace">,
  options: Omit<FileOptions, "server" | "workspace" | "overrides"> & {
    readonly server: RescoreServer
    readonly skipChecks: boolean
  },
): Promise<EvaluationJob> {
  const { server, keys, home, say, skipChecks, signal } = options
  const launch = launchOfContent(withGatesInJob(file.content), source.namespace)
  const { namespace: workspace, project, custom_fields, output_files_url } = launch
  const config = typeof launch.config === "string" ? launch.config : withoutRows(launch.config)
  const sending = { server, workspace, folder: file.folder, home, say, signal }
  const sent = typeof config === "string" ? { config } : await sendRows({ config }, sending)
  const { description } = { ...launch, ...describedBy(file, launch) }
  const words = { description, project, custom_fields, output_files_url }
  const given = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined))
  const body: RescoreBody = { ...given, ...withKeys(keys, sent), namespace: workspace }
  return server.evaluation.jobs.rescore(source.id, body, { skipChecks, signal })
}

function withoutRows({ tasks, ...config }: EvaluationConfigBody): EvaluationConfigBody {
  if (tasks === undefined) return config
  const scored = Object.entries(tasks).map(([name, { dataset: _rows, ...task }]) => [name, task] as const)
  return { ...config, tasks: Object.fromEntries(scored) }
}

/** Runs the launch checks of a file on a server. Its rows are sent first, as for a launch. */
async function checkFile(file: OpenedEvaluationFile, options: CheckFileOptions): Promise<LaunchCheckOutcome> {
  const { server, onCheck, signal } = options
  return server.evaluation.jobs.check(await sendFile(file, options), { onCheck, signal })
}

/** Sends the rows of a file, and returns the body of its launch. */
async function sendFile(file: OpenedEvaluationFile, options: FileOptions): Promise<LaunchBody> {
  const { content, folder } = file
  const { server, keys, home, say, signal } = options
  const launch = launchOfContent(content, options.workspace)
  const config = await configOf(content.config, launch.namespace, options)
  const inline = {
    ...(typeof content.target === "string" ? {} : { target: content.target }),
    ...(typeof config === "string" ? {} : { config }),
  }
  const sent = await sendRows(inline, { server, workspace: launch.namespace, folder, home, say, signal })
  return { ...launch, ...describedBy(file, launch), config, ...withKeys(keys, sent) }
}

/** Returns the name of the file as the description of a job that has no words of its own, so that lists do not show an id. */
function describedBy(
  file: OpenedEvaluationFile,
  { config, description = "" }: LaunchBody,
): Pick<LaunchBody, "description"> {
  if (file.path === undefined || description !== "" || typeof config === "string" || config.name !== undefined)
    return {}
  return { description: runName({ config }, file) }
}

/** Returns the configuration with the overrides applied. Fetches a configuration that is only named if there are overrides. */
async function configOf(
  config: LaunchBody["config"],
  namespace: string,
  { server, overrides, signal }: FileOptions,
): Promise<LaunchBody["config"]> {
  if (typeof config !== "string") return applyOverrides(config, overrides)
  if (Object.keys(overrides).length === 0) return config
  const [workspace, name, ...more] = config.includes("/") ? config.split("/") : [namespace, config]
  if (workspace === undefined || name === undefined || more.length > 0) {
    throw new AssayError("bad_document", `'${printable(config)}' is not the workspace/name of a configuration.`)
  }
  const {
    id: _id,
    created_at: _created,
    updated_at: _updated,
    ...body
  } = await server.evaluation.configs.get(workspace, name, { signal })
  return applyOverrides(body satisfies EvaluationConfigBody, overrides)
}

/** The operations of a server on an evaluation file: it launches its job, checks it, or scores the outputs of another job by it. */
export const servedFiles = Object.freeze({ launch: launchFile, check: checkFile, rescore: rescoreFile })
