import type { LiveRow } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { useEffect, useRef, useState } from "react"
import { useClient } from "../../../api/use-client.ts"
import type { TriedModel } from "./cells-of-file.ts"
import type { DrawnRow } from "./use-drawn-rows.ts"

/** A row that a model is asked about. */
export interface Trial {
  /** Undefined while it is asked, and if that failed. */
  readonly row?: LiveRow | undefined
  readonly error?: Error
}

/** The prompt and the rows that were tried. */
export interface Tries {
  readonly models: readonly TriedModel[]
  readonly rows: readonly DrawnRow[]
  /** By `keyOfTrial`. Absent: not asked yet. */
  readonly found: ReadonlyMap<string, Trial>
  readonly isRunning: boolean
}

/** Requests of the page that wait at the same time. */
const AT_ONCE = 4
const NOTHING: Tries = { models: [], rows: [], found: new Map(), isRunning: false }

export function keyOfTrial(model: TriedModel, row: DrawnRow): string {
  return `${row.index} ${model.label}`
}

/** Asks models about rows, one request for each, and shows each answer when it comes. Leaving the page stops it. */
export function useTries() {
  const { evaluation } = useClient()
  const [tries, setTries] = useState<Tries>(NOTHING)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (models: readonly TriedModel[], rows: readonly DrawnRow[]) => {
    running.current?.abort()
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    setTries({ models, rows, found: new Map(), isRunning: true })
    // The models answer side by side: the first row of each comes first.
    const waiting = rows.flatMap((row) => models.map((model) => ({ model, row })))
    const ask = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
        const { model, row } = next
        const trial = await askOne(model, row)
        if (signal.aborted) return
        setTries((all) => ({ ...all, found: new Map(all.found).set(keyOfTrial(model, row), trial) }))
      }
    }
    const askOne = async (model: TriedModel, { row }: DrawnRow): Promise<Trial> => {
      try {
        const { rows: answered, status_details: details } = await evaluation.live(model.bodyOf(row), { signal })
        const [first] = answered.toReversed()
        return first === undefined ? { error: new Error(details.message) } : { row: first }
      } catch (error) {
        return { error: isAssayError(error) || error instanceof Error ? error : new Error(String(error)) }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, ask))
    if (!signal.aborted) setTries((all) => ({ ...all, isRunning: false }))
  }
  const stop = () => {
    running.current?.abort()
    setTries((all) => ({ ...all, isRunning: false }))
  }
  return { tries, run, stop }
}
