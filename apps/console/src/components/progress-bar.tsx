import type { ReactElement } from "react"

export interface ProgressBarProps {
  /** From 0 to 100. Null: not known. */
  readonly percent: number | null
  readonly label: string
}

/** Renders how much of something is done. */
export function ProgressBar({ percent, label }: ProgressBarProps): ReactElement {
  if (percent === null) return <progress aria-label={label} />
  return <progress aria-label={label} max={100} value={percent} />
}
