import { useQuery } from "@tanstack/react-query"
import { useMemo, useState, type ReactElement } from "react"
import { CopyButton } from "../components/copy-button.tsx"
import { formatInteger } from "@assay/reports"
import { textKind } from "./text-kind.ts"
import "./texts.css"

export interface RichTextProps {
  readonly text: string
  /** Names the text for those who copy it or hear it. */
  readonly label: string
}

/** Characters that are shown before somebody asks for all. */
const MAX_SHOWN = 20_000

/** Renders a text of others: Markdown with its form, JSON with indents, anything else as it is. A button shows it as it was written. */
export function RichText({ text, label }: RichTextProps): ReactElement {
  const kind = useMemo(() => textKind(text), [text])
  const [isRaw, setIsRaw] = useState(false)
  const [isWhole, setIsWhole] = useState(false)
  const isLong = text.length > MAX_SHOWN && !isWhole
  return (
    <div className="rich-text">
      <div className="actions tools">
        {kind === "plain" ? null : (
          <button type="button" className="quiet" aria-pressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
            As written
          </button>
        )}
        <CopyButton text={text} what={label} />
      </div>
      {kind === "markdown" && !isRaw ? (
        <LoadedMarkdown text={text} />
      ) : kind === "json" && !isRaw ? (
        <pre tabIndex={0} aria-label={label}>
          {JSON.stringify(JSON.parse(text), null, 2)}
        </pre>
      ) : (
        <p className="text" dir="auto">
          {isLong ? text.slice(0, MAX_SHOWN).toWellFormed() : text}
        </p>
      )}
      {isLong ? (
        <button type="button" onClick={() => setIsWhole(true)}>
          Show all {formatInteger(text.length)} characters
        </button>
      ) : null}
    </div>
  )
}

/** Renders Markdown, and the plain text until the parser is loaded. */
function LoadedMarkdown({ text }: { readonly text: string }): ReactElement {
  const { data } = useQuery({
    queryKey: ["part", "markdown"],
    queryFn: () => import("./markdown.tsx"),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  if (data !== undefined) return <data.Markdown text={text} />
  return (
    <p className="text" dir="auto">
      {text}
    </p>
  )
}
