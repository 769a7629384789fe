import { resolve } from "node:path"
import type { JobOverrides, localRuns, OpenedEvaluationFile } from "@assay/local"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { quotedWord } from "../../../output/error-hints.ts"
import type { RecordingOptions } from "../../recording-options.ts"
import { shownPath } from "../run-end.ts"

/**
 * Checks that options of recordings do not contradict each other.
 * @param isOnServer whether a server runs the job
 * @throws `bad_usage`
 */
export function checkRecording(options: RecordingOptions, isOnServer: boolean): void {
  const { fresh, recording, replayOnly, recordingDigest } = options
  if (recording?.trim() === "") {
    throw new AssayError("bad_usage", "--recording is empty: give a folder, or workspace/fileset of a server.")
  }
  if (replayOnly === true && fresh === true) {
    throw new AssayError("bad_usage", "--replay-only reads recorded answers, and --fresh ignores them: leave one out.")
  }
  if (isOnServer) {
    checkServed(options)
    return
  }
  if (recordingDigest !== undefined) {
    if (recording === undefined || replayOnly !== true) {
      const why = "--recording-digest says which recording is replayed: give --recording and --replay-only, too."
      throw new AssayError("bad_usage", why)
    }
    if (!/^sha256:[0-9a-f]{64}$/.test(recordingDigest)) {
      throw new AssayError("bad_usage", "--recording-digest is not 'sha256:' and 64 hexadecimal digits.")
    }
  }
}

/** @throws `bad_usage` for options that a job of a server does not have */
function checkServed({ recording, replayOnly, recordingDigest }: RecordingOptions): void {
  if (recordingDigest !== undefined) {
    const why = "--recording-digest is for a run of this machine or of an engine"
    throw new AssayError("bad_usage", `${why}: leave it out, or run without the server (--local).`)
  }
  if (recording === undefined && replayOnly === true) {
    const why = "--replay-only of a job of a server needs the fileset with the answers"
    throw new AssayError(
      "bad_usage",
      `${why}: give --recording workspace/fileset, or run without the server (--local).`,
    )
  }
  if (recording === undefined || isFilesetName(recording)) return
  const why = `A job of a server is recorded in a fileset, and '${printable(recording)}' is a folder`
  throw new AssayError("bad_usage", `${why}: give --recording workspace/fileset, or run without the server (--local).`)
}

function isFilesetName(recording: string): boolean {
  return /^[^\s/#:.~][^\s/#:]*\/[^\s/#:]+$/.test(recording)
}

/** Returns the recording of a job of a server. Undefined: the command names none. */
export function recordingOfServer({ recording, replayOnly, fresh }: RecordingOptions): JobOverrides["inFileset"] {
  if (recording === undefined) return undefined
  return {
    fileset: recording,
    ...(replayOnly === true ? { replay_only: true } : {}),
    ...(fresh === true ? { fresh: true } : {}),
  }
}

/** Returns where the answers of a run are recorded. */
export function recordingOf(
  { cwd }: Pick<Context, "cwd">,
  { recording, replayOnly, recordingDigest, recordingName = recording }: RecordingOptions,
): NonNullable<Parameters<typeof localRuns.run>[1]["recording"]> {
  return {
    folder: recording === undefined ? undefined : resolve(cwd, recording),
    isReplayOnly: replayOnly,
    name: recordingName,
    digest: recordingDigest,
  }
}

/** Returns the next commands of a run, with the one that asks instead of those that would continue a replay. */
export function nextCommands(commands: readonly string[], asking: string | undefined): readonly string[] {
  return commands.map((one) =>
    asking !== undefined && /^assay eval (?:retry-failed|resume) /.test(one) ? asking : one,
  )
}

/** Returns the command that asks what a replay did not find, because continuing the replay sends nothing. Undefined: the run was not a replay. */
export function askingRun(
  context: Context,
  {
    file: { path, name },
    recording,
  }: {
    readonly file: Pick<OpenedEvaluationFile, "path" | "name">
    readonly recording: ReturnType<typeof recordingOf> | undefined
  },
): string | undefined {
  if (recording?.isReplayOnly !== true) return undefined
  const { folder: at } = recording
  const folder = at === undefined ? "" : ` --recording ${quotedWord(shownPath(context, at))}`
  return `assay eval run ${path === undefined ? "FILE" : quotedWord(name)}${folder}`
}

interface RecordedRun {
  /** Absolute path. Null for stdin. */
  readonly file: string | null
  readonly recording?: string
  readonly is_replay_only?: boolean
}

/** Returns the command of `askingRun` for a run of this machine, by its record. */
export function askingRunOf(
  context: Context,
  { file, recording: folder, is_replay_only: isReplayOnly }: RecordedRun,
): string | undefined {
  const name = file === null ? "stdin" : shownPath(context, file)
  return askingRun(context, { file: { path: file ?? undefined, name }, recording: { folder, isReplayOnly } })
}
