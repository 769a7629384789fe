import type { Command } from "commander"

/** Options about recorded answers. */
export interface RecordingOptions {
  readonly fresh?: boolean
  readonly recording?: string
  readonly replayOnly?: boolean
  readonly recordingDigest?: string
  /** The recording as the user wrote it, if `recording` is a copy of it. */
  readonly recordingName?: string
}

/** Adds options about recorded answers. */
export function addRecordingOptions(
  command: Command,
  fresh = "start a new run, even if a run of the same job was interrupted, and ask for recorded answers again",
): Command {
  return command
    .option("--fresh", fresh)
    .option(
      "--recording <folder>",
      "record the answers of all models in this folder, or in workspace/fileset of a server, and ask for none that it has; default: those of conversations, in --data-dir",
    )
    .option("--replay-only", "send nothing: a request without a recorded answer fails the run")
    .option(
      "--recording-digest <digest>",
      "with --replay-only: replay only the recording of this digest, which config/recording.json of a run has",
    )
}

/** Adds options about recorded answers to a command whose jobs a server runs. */
export function addServedRecordingOptions(command: Command): Command {
  return command
    .option(
      "--recording <fileset>",
      "record the answers of all models in this workspace/fileset of the server, and ask for none that it has; default: those of conversations, on the server",
    )
    .option("--replay-only", "with --recording: send nothing, so that a request without a recorded answer fails")
    .option("--fresh", "with --recording: ask for recorded answers again, and replace them")
}
