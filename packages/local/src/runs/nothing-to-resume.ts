import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { RunRecord } from "./run-record.ts"

type EndedRun = Pick<RunRecord, "file" | "failed" | "recording" | "is_replay_only" | "rescored_from">

/**
 * Returns the error of a resumed run that would ask nothing, because all of its rows were asked. It names the command that helps: failed rows are asked again, also
 * those of a replay, which itself sends nothing; without failed rows, other metrics score the same answers.
 * @param name the folder of the run as the user wrote it
 */
export function nothingToResume(name: string, run: EndedRun): AssayError {
  const { failed } = run
  const none = failed === 0 ? ", and none failed" : ""
  const message = `'${printable(name)}' has nothing to resume: all of its rows were asked${none}.`
  return new AssayError("illegal_transition", message, { context: wayOn(name, run) })
}

function wayOn(
  name: string,
  { file, failed, recording, is_replay_only: isReplay, rescored_from: source }: EndedRun,
): { readonly remedy: string; readonly command: readonly string[] } {
  const written = file ?? "FILE"
  if (source !== undefined) {
    const remedy = "To score the outputs again, give the folder or the job that has them, and a corrected file:"
    return { remedy, command: ["assay", "eval", "rescore", "SOURCE", "--with", written, "--out", name, "--force"] }
  }
  if (failed === 0) {
    const remedy = "To score the same answers by other metrics, change the file, and name a folder for the new results:"
    return { remedy, command: ["assay", "eval", "rescore", name, "--with", written, "--out", "FOLDER"] }
  }
  if (isReplay === true) {
    const remedy = "A replay sends nothing. A run with the same recording asks for the answers that it lacks:"
    const folder = recording === undefined ? [] : ["--recording", recording]
    return { remedy, command: ["assay", "eval", "run", written, ...folder] }
  }
  return { remedy: "Ask its failed rows again:", command: ["assay", "eval", "retry-failed", name] }
}
