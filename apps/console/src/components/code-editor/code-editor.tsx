import { useId, useImperativeHandle, useRef, type ReactElement, type Ref } from "react"
import { CompletionList } from "./completion-list.tsx"
import { LINE_HEIGHT, placeOf, selectLine } from "./edit-text.ts"
import { FaultLines, type LineFault } from "./fault-lines.tsx"
import type { Complete } from "./use-completions.ts"
import { useEditorKeys } from "./use-editor-keys.ts"
import "./code-editor.css"

export interface CodeEditorProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  /** Shown on their lines. */
  readonly faults: readonly LineFault[]
  /** Default: nothing is offered. */
  readonly complete?: Complete
  readonly handle?: Ref<EditorHandle>
  readonly isReadOnly?: boolean
  /** Smallest number of lines that are shown. Default 18. */
  readonly rows?: number
}

/** The operations on an editor for other parts of a page. */
export interface EditorHandle {
  /** Selects a line, and shows it. Lines count from 1. */
  readonly select: (line: number) => void
}

/**
 * Renders an editor on a text field of the browser, whose undo, selection and input methods it keeps. Faults are on their lines, and
 * completions at the caret.
 */
export function CodeEditor(props: CodeEditorProps): ReactElement {
  const { label, text, onChange, faults, complete, handle, isReadOnly = false, rows = 18 } = props
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { list, onKeyDown, typed, choose, close } = useEditorKeys(field, text, complete)
  useImperativeHandle(handle, () => ({ select: (line) => selectLine(field.current, line) }), [])
  const lines = text.split("\n")
  return (
    <div className="field code-editor-field">
      <label htmlFor={id}>{label}</label>
      <div className="code-editor">
        <pre className="line-numbers" aria-hidden="true">
          {lines.map((_, index) => index + 1).join("\n")}
        </pre>
        <div className="writing">
          <FaultLines faults={faults} lines={lines} />
          <textarea
            ref={field}
            id={id}
            wrap="off"
            readOnly={isReadOnly}
            style={{ minHeight: `${Math.max(rows, lines.length + 1) * LINE_HEIGHT + 16}px` }}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            value={text}
            aria-invalid={faults.some(({ isFault = true }) => isFault)}
            aria-describedby={`${id}-faults`}
            aria-autocomplete={complete === undefined ? undefined : "list"}
            aria-controls={list === undefined ? undefined : `${id}-list`}
            aria-activedescendant={list === undefined || list.at === -1 ? undefined : `${id}-${list.at}`}
            onKeyDown={onKeyDown}
            onBlur={close}
            onClick={close}
            onChange={({ target }) => {
              onChange(target.value)
              typed(target.value, target.selectionStart)
            }}
          />
          {list === undefined ? null : (
            <CompletionList id={id} list={list} place={placeOf(text, list.from)} onChoose={choose} />
          )}
        </div>
      </div>
      <p id={`${id}-faults`} className="unseen">
        {faults.map(({ line, text: words }) => `Line ${line}: ${words}`).join(" ")}
      </p>
      <p className="unseen" role="status">
        {list === undefined ? "" : `${list.items.length} suggestions`}
      </p>
    </div>
  )
}
