import { useRef, type ReactElement } from "react"

export interface OpenReportProps {
  readonly onFile: (file: File) => void
}

/** Renders the button that opens a report or a certificate from a disk. The file stays in the browser. */
export function OpenReport({ onFile }: OpenReportProps): ReactElement {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Report file"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) onFile(file)
          // The same file can be opened again after it was changed.
          target.value = ""
        }}
      />
      <button type="button" onClick={() => input.current?.click()}>
        Open a report or certificate
      </button>
    </>
  )
}
