import { FILESET_FILTER_FIELDS, parseFilesetFilter } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { useId, useState, type ReactElement } from "react"
import { FilterBox } from "../../../table/filter-box.tsx"
import { completionsOf, type Completion } from "./filter-completions.ts"

export interface FilesetFilterProps {
  readonly value: string | undefined
  readonly onChange: (text: string | undefined) => void
}

/** A fault of a filter and its position. */
export interface FilterFault {
  readonly message: string
  /** Offset into the text; undefined if the whole text is meant. */
  readonly position: number | undefined
}

/** Returns why a text is not a filter, or undefined if it is one. It is the parser that the server uses. */
export function filterFault(text: string | undefined): FilterFault | undefined {
  if (text === undefined) return undefined
  try {
    parseFilesetFilter([["filter", text]])
    return undefined
  } catch (error) {
    if (!isAssayError(error)) throw error
    const { position } = error.context
    return { message: error.message, position: typeof position === "number" ? position : undefined }
  }
}

/** Renders the field for a filter of filesets. It completes fields and values, and points at what can't be read. */
export function FilesetFilter({ value, onChange }: FilesetFilterProps): ReactElement {
  const id = useId()
  const [draft, setDraft] = useState(value ?? "")
  const fault = draft.trim() === "" ? undefined : filterFault(draft)
  const offered = completionsOf(draft, FILESET_FILTER_FIELDS)
  const take = ({ text }: Completion) => onChange(text)
  return (
    <div className="fileset-filter">
      <FilterBox
        label="Filter filesets"
        placeholder={'purpose:"dataset" AND name~"squad"'}
        value={value}
        describedBy={id}
        onText={setDraft}
        onChange={onChange}
      />
      <div id={id} className="filter-help" aria-live="polite">
        {fault === undefined ? null : (
          <p className="fault" role="alert">
            <FaultPosition text={draft} position={fault.position} />
            {fault.message} <code>bad_filter</code>
          </p>
        )}
        {draft === "" || offered.length === 0 ? null : (
          <p className="completions">
            {offered.map((completion) => (
              <button key={completion.label} type="button" className="quiet" onClick={() => take(completion)}>
                {completion.label}
              </button>
            ))}
          </p>
        )}
      </div>
    </div>
  )
}

function FaultPosition({
  text,
  position,
}: {
  readonly text: string
  readonly position: number | undefined
}): ReactElement | null {
  if (position === undefined) return null
  return (
    <span className="place mono" aria-hidden="true">
      {text.slice(Math.max(0, position - 30), position)}
      <mark>{text.slice(position, position + 1) === "" ? "\u00A0" : text.slice(position, position + 1)}</mark>
      {text.slice(position + 1, position + 20)}
    </span>
  )
}
