import { digestRecording } from "./digest-recording.ts"
import { withHiddenKeys } from "./hide-keys.ts"
import { openRecording } from "./open-recording.ts"
import { findUnrecorded } from "./find-unrecorded.ts"
import { describeJobRecording, locateRecording, openJobRecording } from "./job-recording.ts"

/** The work with recordings outside of a run. */
export const recordings = Object.freeze({
  open: openRecording,
  /** Opens the recording of a job of a server. */
  ofJob: openJobRecording,
  locate: locateRecording,
  findUnrecorded,
  digest: digestRecording,
  describe: describeJobRecording,
  withHiddenKeys,
})
