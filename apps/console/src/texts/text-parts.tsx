import type { ReactElement } from "react"
import type { TextPart } from "./diff-words.ts"
import "./texts.css"

/** Renders the parts of two texts: words that are only in the first are crossed out, those only in the second underlined. */
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
