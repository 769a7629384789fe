import { useEffect, useRef, type ReactElement } from "react"
import { LINE_HEIGHT, type TextPlace } from "./edit-text.ts"
import type { OpenList } from "./use-completions.ts"

export interface CompletionListProps {
  /** The id of the field. */
  readonly id: string
  readonly list: OpenList
  /** Where the completed text begins. */
  readonly place: TextPlace
  readonly onChoose: (at: number) => void
}

/** Renders the completions at the caret of an editor. Its keys are those of the field. */
export function CompletionList({ id, list, place, onChoose }: CompletionListProps): ReactElement {
  const box = useRef<HTMLUListElement>(null)
  useEffect(() => {
    box.current?.children[list.at]?.scrollIntoView({ block: "nearest" })
  }, [list.at])
  return (
    <ul
      ref={box}
      id={`${id}-list`}
      className="completions"
      role="listbox"
      tabIndex={-1}
      aria-label="Suggestions"
      style={{ top: `${(place.line + 1) * LINE_HEIGHT + 8}px`, left: `${place.column}ch` }}
    >
      {list.items.map(({ label, about }, index) => (
        <li
          key={label}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === list.at}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(index)
          }}
        >
          <span className="mono">{label}</span>
          {about === undefined ? null : <small>{about}</small>}
        </li>
      ))}
    </ul>
  )
}
