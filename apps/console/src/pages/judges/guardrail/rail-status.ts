import type { CheckStatus } from "@assay/schemas"
import type { Tone } from "../../../components/badge.tsx"

interface StatusWords {
  readonly text: string
  readonly sentence: string
  readonly tone: Tone
}

/** The words of a status for users, and its colour. */
export const STATUSES: Readonly<Record<CheckStatus, StatusWords>> = {
  success: { text: "may pass", sentence: "The message may pass", tone: "PASS" },
  blocked: { text: "blocked", sentence: "The message is blocked", tone: "FAIL" },
  unknown: { text: "not decided", sentence: "The rails do not decide", tone: "INCONCLUSIVE" },
}
