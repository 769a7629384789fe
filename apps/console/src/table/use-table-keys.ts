import type { KeyboardEvent } from "react"

export interface TableKeys {
  readonly total: number
  /** Returns the chosen row, or -1. */
  readonly chosen: () => number
  /** Number of rows that fit. */
  readonly fits: number
  readonly choose: (index: number) => void
  readonly open: (index: number) => void
  /** Handles another key. Returns whether it did. */
  readonly other: (key: string) => boolean
}

/** Returns the function that moves through a table by keys: arrows or j and k, pages, home and end, enter, and `/` for the filter. */
export function useTableKeys({ total, chosen, fits, choose, open, other }: TableKeys): (event: KeyboardEvent) => void {
  return (event) => {
    const { key, target, currentTarget } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // Keys that are typed into a field or press a button of the table belong to it.
    if (
      target instanceof Element &&
      target !== currentTarget &&
      target.closest("input, select, textarea, button, a") !== null
    )
      return
    const at = chosen()
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      j: at + 1,
      ArrowUp: at - 1,
      k: at - 1,
      PageDown: at + fits,
      PageUp: at - fits,
      Home: 0,
      End: total - 1,
    }
    const next = steps[key]
    if (next !== undefined) choose(Math.max(0, Math.min(total - 1, next)))
    else if (key === "Enter" && at >= 0) open(at)
    else if (key === "/")
      currentTarget.closest(".table")?.querySelector<HTMLInputElement>("input[type=search]")?.focus()
    else if (!other(key)) return
    event.preventDefault()
  }
}
