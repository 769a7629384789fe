import { resolve } from "node:path"
import type { localRuns, OpenedEvaluationFile } from "@assay/jobs"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { quotedWord } from "../../output/error-hints.ts"
import type { RecordingOptions } from "./recording-options.ts"
import { shownPath } from "./run-end.ts"

/**
 * Checks that options of recordings do not contradict each other.
 * @param isOnServer whether a server runs the job
 * @throws `bad_usage`
 */
export function checkRecording({ fresh, recording, replayOnly }: RecordingOptions, isOnServer: boolean): void {
  if (recording?.trim() === "") {
    throw new AssayError("bad_usage", "--recording is empty: give a folder, or workspace/fileset of a server.")
  }
  if (replayOnly === true && fresh === true) {
    throw new AssayError("bad_usage", "--replay-only reads recorded answers, and --fresh ignores them: leave one out.")
  }
  const given = recording === undefined ? (replayOnly === true ? "--replay-only" : undefined) : "--recording"
  if (given === undefined || !isOnServer) return
  const message = `${given} is for a run of this machine or of an engine: leave it out, or run without the server (--local).`
  throw new AssayError("bad_usage", message)
}

/** Returns where the answers of a run are recorded. */
export function recordingOf(
  { cwd }: Pick<Context, "cwd">,
  { recording, replayOnly }: RecordingOptions,
): NonNullable<Parameters<typeof localRuns.run>[1]["recording"]> {
  return { folder: recording === undefined ? undefined : resolve(cwd, recording), isReplayOnly: replayOnly }
}

/** Returns the command that asks what a replay did not find, because continuing the replay would ask without recording. Undefined: the run was not a replay. */
export function askingRun(
  context: Context,
  {
    file,
    recording,
  }: { readonly file: OpenedEvaluationFile; readonly recording: ReturnType<typeof recordingOf> | undefined },
): string | undefined {
  if (recording?.isReplayOnly !== true) return undefined
  const { path, name } = file
  const { folder: at } = recording
  const folder = at === undefined ? "" : ` --recording ${quotedWord(shownPath(context, at))}`
  return `assay eval run ${path === undefined ? "FILE" : quotedWord(name)}${folder}`
}
