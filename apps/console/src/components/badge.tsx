import type { ReactElement } from "react"

/** The colour of a badge. The word inside says the same, so colour never stands alone. */
export type Tone = "PASS" | "FAIL" | "INCONCLUSIVE" | "NONE" | "RUNNING" | "PLAIN"

/** Renders a status or a verdict. */
export function Badge({ text, tone = "PLAIN" }: { readonly text: string; readonly tone?: Tone }): ReactElement {
  return <span className={`badge ${tone}`}>{text}</span>
}
