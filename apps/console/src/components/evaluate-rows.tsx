import { formatCount } from "@assay/reports"
import { useNavigate } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { keepDraft } from "../api/drafts.ts"
import { useAuthor, useRights } from "../api/use-session.ts"
import { formatDocument } from "../documents/document-text.ts"
import { useNotify } from "./notices.tsx"

export interface EvaluateRowsProps {
  readonly count: number
  /** Reads the chosen rows as JSON. */
  readonly read: (max: number) => Promise<readonly unknown[]>
}

/** Maximum number of rows that are written into a file. */
const MAX_ROWS = 1000
/** Maximum length of these rows as text. */
const MAX_LENGTH = 400_000

/** Renders a button that launches an evaluation over some rows, which are written into its file. */
export function EvaluateRows({ count, read }: EvaluateRowsProps): ReactElement | null {
  const { mayEdit } = useRights()
  const by = useAuthor()
  const navigate = useNavigate()
  const notify = useNotify()
  const [isBusy, setBusy] = useState(false)
  if (!mayEdit() || count === 0) return null
  const evaluate = async () => {
    setBusy(true)
    try {
      const text = await formatDocument({ data: await read(MAX_ROWS) }, "yaml")
      if (text.length > MAX_LENGTH) return notify("These rows are too long for a file: choose fewer.")
      const draft = `rows-${Date.now()}`
      keepDraft(`launch.${draft}`, { text, at: Date.now(), by })
      await navigate({ to: "/launch", search: { draft } })
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" disabled={isBusy} onClick={() => void evaluate()}>
      Evaluate {count > MAX_ROWS ? `the first ${formatCount(MAX_ROWS, "row")}` : formatCount(count, "row")}
    </button>
  )
}
