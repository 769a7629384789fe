import { openRecording } from "@assay/evaluation"
import type { EvaluationConfigBody } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { LaunchSubject } from "../launch/launch-ports.ts"
import { answersFolder } from "./local-environment.ts"

/** How a run of this machine records the answers of its models. */
export interface RecordingChoice {
  /** Absolute path. Undefined: conversations are recorded in the data folder, and nothing else is. */
  readonly folder?: string | undefined
  /** Whether a request without a recorded answer fails. */
  readonly isReplayOnly?: boolean | undefined
}

/** The recording of a run. */
export interface LocalRecording {
  /** Absolute path. Undefined: nothing is recorded. */
  readonly folder: string | undefined
  readonly recording: ReturnType<typeof openRecording> | undefined
}

/** Opens the recording of a run, which its launch checks share. @throws `bad_usage` for a job whose requests can't be recorded */
export function openLocalRecording(
  { config }: LaunchSubject,
  { folder: chosen, isReplayOnly = false }: RecordingChoice,
  { dataFolder, isFresh }: { readonly dataFolder: string; readonly isFresh: boolean },
): LocalRecording {
  const isRecorded = Object.values(config.tasks ?? {}).some(
    ({ type, params }) =>
      (type === "conversation" || type === "agent") && (params?.cache ?? config.params?.cache) !== false,
  )
  if (chosen !== undefined || isReplayOnly) checkRecordable(config, isReplayOnly)
  const folder = chosen ?? (isRecorded || isReplayOnly ? answersFolder(dataFolder) : undefined)
  return { folder, recording: folder === undefined ? undefined : openRecording(folder, { isReplayOnly, isFresh }) }
}

/** Types of configurations and tasks that send requests of another kind than chats and texts. */
const NOT_RECORDED: ReadonlySet<string> = new Set([
  "content_safety",
  "calibration",
  "benchmark",
  "loglikelihood",
  "multiple-choice",
])

/** @throws `bad_usage` that names what a recording would not have */
function checkRecordable({ type, tasks = {} }: EvaluationConfigBody, isReplayOnly: boolean): void {
  const all = Object.values(tasks)
  const found = [type, ...all.map((task) => task.type ?? "")].find((one) => NOT_RECORDED.has(one))
  const isRemote =
    isReplayOnly && all.some(({ metrics = {} }) => Object.values(metrics).some((one) => one.type === "remote"))
  const what = found ?? (isRemote ? "remote" : undefined)
  if (what === undefined) return
  const option = isReplayOnly ? "--replay-only" : "--recording"
  throw new AssayError("bad_usage", `The requests of '${what}' are not recorded: leave ${option} out.`)
}
