import { useNavigate } from "@tanstack/react-router"
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from "react"
import type { PaletteEntry } from "./found-entries.ts"
import "./palette.css"
import { usePaletteEntries } from "./use-palette-entries.ts"

export interface PaletteProps {
  /** The pages that the caller may not see. */
  readonly hidden: readonly string[]
  readonly onClose: () => void
}

/** Renders the dialog that leads to any page, fileset, model or job by a part of its name. */
export function Palette({ hidden, onClose }: PaletteProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()
  const id = useId()
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  const entries = usePaletteEntries(text, hidden)
  const chosen = Math.min(at, entries.length - 1)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const open = ({ to, kind }: PaletteEntry) => {
    dialog.current?.close()
    // The documentation is not a page of the console.
    if (kind === "help") location.assign(to)
    else void navigate({ to })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 }
    const next = steps[event.key]
    const entry = entries[chosen]
    if (next !== undefined) setAt(Math.max(0, Math.min(entries.length - 1, next)))
    else if (event.key === "Enter" && entry !== undefined) open(entry)
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} className="palette" aria-label="Go to" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Go to a page, fileset, model, job or guardrail"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={entries.length === 0 ? undefined : `${id}-${chosen}`}
        placeholder="Page, fileset, model, job, guardrail or help"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <Found id={id} entries={entries} chosen={chosen} onOpen={open} />
      {entries.length === 0 ? <p className="soft">Nothing is found.</p> : null}
    </dialog>
  )
}

interface FoundProps {
  readonly id: string
  readonly entries: readonly PaletteEntry[]
  readonly chosen: number
  readonly onOpen: (entry: PaletteEntry) => void
}

/** Renders what was found. The chosen entry stays in sight. */
function Found({ id, entries, chosen, onOpen }: FoundProps): ReactElement {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" })
  }, [chosen])
  return (
    <div id={id} role="listbox" aria-label="Found" ref={list}>
      {entries.map((entry, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and handles the keys
        <div
          key={`${entry.kind} ${entry.to}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          onClick={() => onOpen(entry)}
        >
          <span className="cut">{entry.label}</span>
          <span className="soft cut">
            {entry.kind}
            {entry.hint === "" ? "" : ` · ${entry.hint}`}
          </span>
        </div>
      ))}
    </div>
  )
}
