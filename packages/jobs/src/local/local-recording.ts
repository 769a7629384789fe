import { openRecording } from "@assay/evaluation"
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

/** Opens the recording of a run, which its launch checks share. */
export function openLocalRecording(
  { config }: LaunchSubject,
  { folder: chosen, isReplayOnly = false }: RecordingChoice,
  { dataFolder, isFresh }: { readonly dataFolder: string; readonly isFresh: boolean },
): LocalRecording {
  const isRecorded = Object.values(config.tasks ?? {}).some(
    ({ type, params }) => type === "conversation" && (params?.cache ?? config.params?.cache) !== false,
  )
  const folder = chosen ?? (isRecorded || isReplayOnly ? answersFolder(dataFolder) : undefined)
  return { folder, recording: folder === undefined ? undefined : openRecording(folder, { isReplayOnly, isFresh }) }
}
