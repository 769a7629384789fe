import { useMemo, type ReactElement } from "react"
import { diffWords, type TextPart } from "./diff-words.ts"
import "./texts.css"

export interface DifferenceShownProps {
  readonly before: string
  readonly after: string
}

/** Renders what changes from one text to another: words that are only in the first are crossed out, those only in the second underlined. */
export function DifferenceShown({ before, after }: DifferenceShownProps): ReactElement {
  const parts = useMemo(() => diffWords(before, after), [before, after])
  return <TextParts parts={parts} />
}

/** Renders parts of texts. */
export function TextParts({ parts }: { readonly parts: readonly TextPart[] }): ReactElement {
  return (
    <p className="text difference" dir="auto">
      {parts.map(({ kind, text }, partIndex) => {
        const key = `${partIndex} ${kind}`
        if (kind === "removed") return <del key={key}>{text}</del>
        if (kind === "added") return <ins key={key}>{text}</ins>
        return <span key={key}>{text}</span>
      })}
    </p>
  )
}
