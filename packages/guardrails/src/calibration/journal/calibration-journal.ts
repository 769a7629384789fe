import { hash } from "node:crypto"
import type { CalibrationCandidate } from "./calibration-candidate.ts"
import type { JudgedPrompt } from "./judged-prompt.ts"
import type { LabelledPrompt } from "./labelled-prompt.ts"

/** Remembers answers, so that a calibration that was interrupted does not ask again. */
export interface CalibrationJournal {
  read(key: string): JudgedPrompt | undefined
  /** May return before the answer is safe on disk. @throws `local_file_failed` of an earlier write */
  append(key: string, judged: JudgedPrompt): void
  /** Waits until everything that was appended is kept. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** What an answer is kept under. The label is not part of it: correcting labels asks nothing anew. */
export function journalKey(candidate: CalibrationCandidate, row: LabelledPrompt, repeat: number): string {
  const asked = JSON.stringify([candidate.digest, row.prompt, row.response ?? null, repeat])
  return hash("sha256", asked, "base64url").slice(0, 22)
}
