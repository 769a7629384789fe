import { existsSync } from "node:fs"
import { recordings } from "@assay/evaluation"
import { type EvaluationConfigBody, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { PlannedRecording } from "@assay/executors"
import type { LaunchSubject } from "@assay/attempts"
import { answersFolder } from "./local-environment.ts"

/** How a run of this machine records the answers of its models. */
export interface RecordingChoice {
  /** Absolute path. Undefined: conversations are recorded in the data folder, and nothing else is. */
  readonly folder?: string | undefined
  /** Whether a request without a recorded answer fails. */
  readonly isReplayOnly?: boolean | undefined
  /** The folder as the user wrote it, or the fileset that it is a copy of. */
  readonly name?: string | undefined
  /** The only recording that may be replayed, as `digestRecording` returns it. Default: any. */
  readonly digest?: string | undefined
}

/** The recording that the results of a run name. */
interface NamedRecording extends Awaited<ReturnType<typeof recordings.digest>> {
  readonly name: string
}

/** Checks that a recording is the one that the user wants. @throws `bad_document` if it has another digest; `local_file_failed` */
export async function checkRecordingDigest(
  { folder }: Pick<LocalRecording, "folder">,
  { digest: wanted, name = "the recording" }: RecordingChoice,
  signal: AbortSignal,
): Promise<void> {
  if (wanted === undefined || folder === undefined) return
  const { digest, answers } = await recordings.digest(folder, signal)
  if (digest === wanted) return
  const has = `'${printable(name)}' has the digest ${digest} (${answers} recorded answers), and not ${printable(wanted)}`
  throw new AssayError("bad_document", `${has}: get the recording of that digest, or leave --recording-digest out.`)
}

/** Returns what the results of a run say of its recording. Undefined: the user named none. */
export async function describeRecording(
  {
    recording_name: name,
    recording: folder,
  }: { readonly recording_name?: string | undefined; readonly recording?: string | undefined },
  signal: AbortSignal,
): Promise<NamedRecording | undefined> {
  return name === undefined || folder === undefined ? undefined : { name, ...(await recordings.digest(folder, signal)) }
}

/** The recording of a run. */
export interface LocalRecording {
  /** Absolute path. Undefined: nothing is recorded. */
  readonly folder: string | undefined
  readonly recording: ReturnType<typeof recordings.open> | undefined
}

interface RecordingOfRun {
  /** Absolute path. Undefined: only a chosen folder is used. */
  readonly dataFolder: string | undefined
  readonly isFresh: boolean
}

/** A clock of a file system can be that much behind that of the process, in milliseconds. */
const CLOCK = 20

/** Opens the recording of a run, which its launch checks share. @throws `bad_usage` for a job whose requests can't be recorded */
export function openLocalRecording(job: LaunchSubject, choice: RecordingChoice, of: RecordingOfRun): LocalRecording {
  const folder = folderOf(job, choice, of.dataFolder)
  if (folder === undefined) return { folder, recording: undefined }
  return { folder, recording: recordings.open(folder, { isReplayOnly: choice.isReplayOnly, isFresh: of.isFresh }) }
}

/**
 * Returns the recording of a run whose shards are processes. Undefined: nothing is recorded.
 * @param now milliseconds since 1970
 * @throws `bad_usage` for a job whose requests can't be recorded
 */
export function planRecording(
  job: LaunchSubject,
  choice: RecordingChoice,
  { dataFolder, isFresh, now }: RecordingOfRun & { readonly now: number },
): PlannedRecording | undefined {
  const folder = folderOf(job, choice, dataFolder)
  if (folder === undefined) return undefined
  return {
    folder,
    is_chosen: choice.folder !== undefined,
    is_replay_only: choice.isReplayOnly === true,
    fresh_since: isFresh ? now - CLOCK : null,
    ...(choice.folder === undefined || choice.name === undefined ? {} : { name: choice.name }),
  }
}

function folderOf(
  { config }: LaunchSubject,
  { folder: chosen, isReplayOnly = false }: RecordingChoice,
  dataFolder: string | undefined,
): string | undefined {
  const isRecorded = Object.values(config.tasks ?? {}).some(
    ({ type, params }) =>
      (type === "conversation" || type === "agent") && (params?.cache ?? config.params?.cache) !== false,
  )
  if (config.params?.recording !== undefined) {
    const why = "'recording' in the params is for jobs of a server"
    throw new AssayError("bad_usage", `${why}: give --recording, or launch the file on a server.`)
  }
  if (chosen !== undefined || isReplayOnly) checkRecordable(config, isReplayOnly)
  const own = dataFolder !== undefined && (isRecorded || isReplayOnly) ? answersFolder(dataFolder) : undefined
  const folder = chosen ?? own
  if (folder === undefined && isReplayOnly) {
    throw new AssayError(
      "bad_usage",
      "--replay-only of a run in a bucket needs the folder with the answers: give --recording FOLDER.",
    )
  }
  return folder
}

/**
 * Opens the recording of a run whose shards are processes. They share it, so a fresh one reads the answers that were recorded since the run began.
 * Undefined: this machine does not have the folder, and nobody has named it.
 */
export function openSharedRecording(planned: PlannedRecording): ReturnType<typeof recordings.open> | undefined {
  const { folder, is_chosen: isChosen, is_replay_only: isReplayOnly, fresh_since: since } = planned
  if (!isChosen && !existsSync(folder)) return undefined
  return recordings.open(folder, { isReplayOnly, freshSince: since ?? undefined })
}

/** @throws `bad_usage` that names what a recording would not have */
function checkRecordable(config: EvaluationConfigBody, isReplayOnly: boolean): void {
  const what = recordings.findUnrecorded(config, isReplayOnly)
  if (what === undefined) return
  const option = isReplayOnly ? "--replay-only" : "--recording"
  throw new AssayError("bad_usage", `The requests of '${what}' are not recorded: leave ${option} out.`)
}
