import { hash } from "node:crypto"
import type { JudgedPrompt } from "../asking/judged-prompt.ts"
import type { LabelledPrompt } from "../prompts/labelled-prompt.ts"

/** Stores answers, so that an interrupted calibration does not ask again. */
export interface CalibrationJournal {
  read(key: string): JudgedPrompt | undefined
  /** Appends an answer. It may return before the answer is on disk. @throws `local_file_failed` of an earlier write */
  append(key: string, judged: JudgedPrompt): void
  /** Waits until everything that was appended is on disk. */
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * Returns the key of an answer: 22 characters of base64url. The label is not part of it, so corrected labels need no new
 * answers.
 * @param digest the digest of the candidate
 */
export function journalKey(digest: string, row: LabelledPrompt, repeat: number): string {
  const asked = JSON.stringify([digest, row.prompt, row.response ?? null, repeat])
  return hash("sha256", asked, "base64url").slice(0, 22)
}
