import { isExactNumber, numberText } from "@assay/json"
import { useState, type ReactElement } from "react"
import { formatInteger } from "@assay/reports"

export interface JsonTreeProps {
  readonly value: unknown
  /** Levels that are open at first. */
  readonly open: number
}

/** Parts of one list or object that are shown before somebody asks for more. */
const STEP = 100
/** Deeper parts are counted and not shown. */
const MAX_DEPTH = 64
/** Characters of a text before somebody opens the text of the file. */
const MAX_TEXT = 2000

/** Renders a JSON value with folded lists and objects. Folded parts cost nothing, and numbers keep all their digits. */
export function JsonTree({ value, open }: JsonTreeProps): ReactElement {
  return (
    <div className="json-tree mono">
      <JsonValue name={undefined} value={value} open={open} depth={0} />
    </div>
  )
}

interface JsonValueProps extends JsonTreeProps {
  /** The key or the index. Undefined at the root. */
  readonly name: string | undefined
  readonly depth: number
}

function JsonValue({ name, value, open, depth }: JsonValueProps): ReactElement {
  if (typeof value !== "object" || value === null || isExactNumber(value)) {
    return (
      <p>
        <JsonName name={name} />
        <span data-type={value === null ? "null" : typeof value}>{leafText(value)}</span>
      </p>
    )
  }
  return <JsonParts name={name} value={value} open={open} depth={depth} />
}

interface JsonPartsProps extends JsonValueProps {
  readonly value: object
}

function JsonParts({ name, value, open, depth }: JsonPartsProps): ReactElement {
  const [isOpen, setIsOpen] = useState(open > 0 && depth < MAX_DEPTH)
  const [shown, setShown] = useState(STEP)
  const entries = isOpen ? Object.entries(value) : []
  const count = Array.isArray(value) ? value.length : Object.keys(value).length
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <JsonName name={name} />
        <span className="soft">{Array.isArray(value) ? `[${formatInteger(count)}]` : `{${formatInteger(count)}}`}</span>
      </summary>
      {depth >= MAX_DEPTH ? <p className="soft">nested too deeply to be shown</p> : null}
      {depth < MAX_DEPTH
        ? entries
            .slice(0, shown)
            .map(([key, part]) => <JsonValue key={key} name={key} value={part} open={open - 1} depth={depth + 1} />)
        : null}
      {isOpen && depth < MAX_DEPTH && count > shown ? (
        <button type="button" className="quiet" onClick={() => setShown(shown + STEP)}>
          {formatInteger(count - shown)} more
        </button>
      ) : null}
    </details>
  )
}

function JsonName({ name }: Pick<JsonValueProps, "name">): ReactElement | null {
  return name === undefined ? null : <span className="name">{`${name}: `}</span>
}

function leafText(value: unknown): string {
  const text = numberText(value) ?? JSON.stringify(value)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text
}
