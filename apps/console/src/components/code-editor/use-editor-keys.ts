import type { KeyboardEvent, RefObject } from "react"
import { insertText, nextIndent } from "./edit-text.ts"
import { type Complete, type OpenList, textOf, useCompletions } from "./use-completions.ts"

/** The completions of an editor, and what its keys do. */
export interface EditorKeys {
  readonly list: OpenList | undefined
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  /** Called with the text and the caret after somebody has typed. */
  readonly typed: (text: string, offset: number) => void
  readonly choose: (at: number) => void
  readonly close: () => void
}

/** Returns what the keys of an editor do: arrows, enter and tab move and choose completions, and enter keeps the indent of a line. */
export function useEditorKeys(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  complete: Complete | undefined,
): EditorKeys {
  const { list, open, move, close } = useCompletions(complete)
  const choose = (at: number) => {
    const item = list?.items[at]
    if (list === undefined || item === undefined || field.current === null) return
    field.current.focus()
    field.current.setSelectionRange(list.from, list.offset)
    // The list is closed first: the text that is written can open the next one.
    close()
    insertText(field.current, textOf(item))
  }
  /** Handles a key of the open list. Returns whether it was one. */
  const onListKey = ({ key, shiftKey }: KeyboardEvent, { at }: OpenList): boolean => {
    if (key === "Escape") close()
    else if (key === "ArrowDown") move(1)
    else if (key === "ArrowUp") move(at === -1 ? 0 : -1)
    else if ((key === "Enter" || key === "Tab") && at !== -1 && !shiftKey) choose(at)
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget } = event
    if (event.nativeEvent.isComposing) return
    if (key === " " && ctrlKey) {
      event.preventDefault()
      return open(text, currentTarget.selectionStart, true)
    }
    if (ctrlKey || metaKey || altKey) return
    if (list !== undefined && onListKey(event, list)) {
      // Escape closes the list alone, and not what is around the editor.
      event.stopPropagation()
      return event.preventDefault()
    }
    const indent = key === "Enter" && !shiftKey ? nextIndent(text, currentTarget.selectionStart) : ""
    if (indent === "") return
    event.preventDefault()
    insertText(currentTarget, `\n${indent}`)
  }
  return { list, onKeyDown, typed: (next, offset) => open(next, offset, false), choose, close }
}
