import { digestRecording, digestStored } from "./digest-recording.ts"
import { withHiddenKeys } from "./hide-keys.ts"
import { openRecording } from "./open-recording.ts"
import { openStoredAnswers } from "./stored-answers.ts"

/** The work with recordings outside of a run. */
export const recordings = Object.freeze({
  open: openRecording,
  openStored: openStoredAnswers,
  digest: digestRecording,
  digestStored,
  withHiddenKeys,
})
