import { digestRecording } from "./digest-recording.ts"
import { withHiddenKeys } from "./hide-keys.ts"
import { openRecording } from "./open-recording.ts"

/** The work with recordings outside of a run. */
export const recordings = Object.freeze({ open: openRecording, digest: digestRecording, withHiddenKeys })
