import { useCallback, useId, useRef, type ReactElement, type ReactNode, type RefObject } from "react"
import { isAssayError } from "@assay/schemas/errors"
import { WithCode } from "../../../components/with-code.tsx"

export interface YamlFieldProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Why the text cannot be read. */
  readonly fault: Error | undefined
  readonly field: YamlLines
}

/** The lines of a field, which other parts of the page lead to. */
export interface YamlLines {
  readonly ref: RefObject<HTMLTextAreaElement | null>
  /** Renders a button that selects a line. */
  readonly link: (line: number | undefined) => ReactNode
}

/** Returns the lines of the field that is rendered with them. */
export function useYamlLines(): YamlLines {
  const ref = useRef<HTMLTextAreaElement>(null)
  const link = useCallback((line: number | undefined) => {
    if (line === undefined) return null
    return (
      <button type="button" className="quiet line" onClick={() => selectLine(ref.current, line)}>
        line {line}
      </button>
    )
  }, [])
  return { ref, link }
}

function selectLine(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return
  const lines = field.value.split("\n")
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0)
  field.focus()
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  // Browsers scroll to a selection that was typed, not to one that was set.
  field.scrollTop = (field.scrollHeight / Math.max(1, lines.length)) * (line - 1) - field.clientHeight / 2
}

/** Renders the field for an evaluation file, and at which line it cannot be read. */
export function YamlField({ text, onChange, fault, field: { ref, link } }: YamlFieldProps): ReactElement {
  const id = useId()
  const line: unknown = isAssayError(fault) ? fault.context["line"] : undefined
  return (
    <div className="field">
      <label htmlFor={id}>Evaluation file</label>
      <small>
        <WithCode text="The file of `assay eval run` and `assay eval launch`, as YAML or JSON. docs/reference/evaluation-file.md lists all fields." />
      </small>
      <textarea
        ref={ref}
        id={id}
        className="mono"
        wrap="off"
        rows={Math.min(32, Math.max(18, text.split("\n").length + 1))}
        spellCheck={false}
        value={text}
        aria-invalid={fault !== undefined}
        onChange={({ target }) => onChange(target.value)}
      />
      {fault === undefined ? null : (
        <small className="fault" role="alert">
          {fault.message} {link(typeof line === "number" ? line : undefined)}
        </small>
      )}
    </div>
  )
}
