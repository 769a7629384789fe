import { useState } from "react"
import { type Completion, type Completions, fittingCompletions } from "./completion.ts"

/** Returns what can be written at an offset of a text. Undefined: nothing is known there. */
export type Complete = (text: string, offset: number) => Completions | undefined

/** The open list of an editor. */
export interface OpenList extends Completions {
  readonly offset: number
  /** The position of the chosen completion; -1 if none is. */
  readonly at: number
}

/** Keeps the list of completions of an editor. */
export function useCompletions(complete: Complete | undefined) {
  const [list, setList] = useState<OpenList>()
  /** Opens the list at the caret, or closes it if there is nothing to offer. @param isAsked whether somebody asked for it */
  const open = (text: string, offset: number, isAsked: boolean) => {
    const found = complete?.(text, offset)
    const written = found === undefined ? "" : text.slice(found.from, offset)
    const items = found === undefined ? [] : fittingCompletions(found.items, written)
    // A new line offers nothing until somebody writes or asks.
    const isBlank = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() === ""
    const isWritten = items.length === 1 && textOf(items[0]).trimEnd() === written
    if (found === undefined || items.length === 0 || ((isWritten || isBlank) && !isAsked)) return setList(undefined)
    // Enter begins a new line unless somebody has begun to write one of them, or asked for the list.
    setList({ from: found.from, items, offset, at: isAsked || written !== "" ? 0 : -1 })
  }
  const move = (step: number) => {
    if (list === undefined) return
    const { length } = list.items
    setList({ ...list, at: (list.at + step + length) % length })
  }
  return { list, open, move, close: () => setList(undefined) }
}

/** Returns what a completion writes. */
export function textOf(item: Completion | undefined): string {
  return item?.text ?? item?.label ?? ""
}
