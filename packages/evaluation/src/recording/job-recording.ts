import type { CallerFilesets } from "@assay/filesets"
import type { EvaluationConfigBody, JobRecording } from "@assay/schemas"
import type { Outages } from "@assay/storage"
import { digestStored } from "./digest-recording.ts"
import { openRecording } from "./open-recording.ts"
import { openStoredAnswers } from "./stored-answers.ts"

interface RecordingOfJob {
  /** The registry with the rights of the job. */
  readonly own: Pick<CallerFilesets, "files">
  /** The workspace of the job. */
  readonly workspace: string
  /** Milliseconds since 1970: when the job was launched. Undefined: now. */
  readonly launchedAt?: number | undefined
  readonly outages?: Outages | undefined
}

/** Milliseconds by which the time of a file may be behind the clock: file systems take the time of the last tick. */
const TICK_MS = 20

/** Opens the recording that a job names, with the first request. Undefined: it names none. */
export function openJobRecording(
  { params }: Pick<EvaluationConfigBody, "params">,
  { own, workspace, launchedAt, outages }: RecordingOfJob,
): ReturnType<typeof openRecording> | undefined {
  const { recording } = params ?? {}
  if (recording === undefined) return undefined
  const { replay_only: isReplayOnly = false, fresh = false } = recording
  const fileset = locateRecording(recording, workspace)
  let storage: ReturnType<CallerFilesets["files"]["open"]> | undefined
  let writable: ReturnType<CallerFilesets["files"]["openWritable"]> | undefined
  const opened = () => (storage ??= own.files.open(fileset.workspace, fileset.name))
  const answers = openStoredAnswers(
    {
      stat: async (...given) => (await opened()).stat(...given),
      read: async (...given) => (await opened()).read(...given),
      async write(...given) {
        writable ??= own.files.openWritable(fileset.workspace, fileset.name)
        return (await writable).write(...given)
      },
    },
    outages,
  )
  const since = launchedAt === undefined ? undefined : launchedAt - TICK_MS
  return openRecording(
    { name: `${fileset.workspace}/${fileset.name}`, answers },
    { isReplayOnly, isFresh: fresh && since === undefined, freshSince: fresh ? since : undefined },
  )
}

/** Returns the fileset that a recording names. */
export function locateRecording({ fileset }: Pick<JobRecording, "fileset">, workspace: string) {
  const [first = "", second] = fileset.split("/")
  return second === undefined ? { workspace, name: first } : { workspace: first, name: second }
}

/** Returns what the results of a job say of its recording. Undefined: it names none, or its fileset is gone. */
export async function describeJobRecording(
  { params }: Pick<EvaluationConfigBody, "params">,
  { own, workspace }: RecordingOfJob,
  signal: AbortSignal,
) {
  const { recording } = params ?? {}
  if (recording === undefined) return undefined
  const { workspace: owner, name } = locateRecording(recording, workspace)
  try {
    const digest = await digestStored(await own.files.open(owner, name), signal)
    return { name: `${owner}/${name}`, ...digest }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
