import { parseExactJson } from "@assay/json"
import { formatBytes } from "@assay/reports"
import { useMemo, useState, type ReactElement } from "react"
import { CopyButton } from "../../../components/copy-button.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { Markdown } from "../../../texts/markdown.tsx"
import { MAX_PARSED } from "../../../texts/text-kind.ts"
import "../../../texts/texts.css"
import { JsonTree } from "./json-tree.tsx"
import { MAX_SHOWN, useFileStart, type PreviewedFile } from "./use-file-start.ts"

export interface TextPreviewProps {
  readonly previewed: PreviewedFile
  readonly kind: "markdown" | "json" | "text"
}

/** Shows the first 64 KiB of a file: Markdown with its form, JSON folded, other text as it is, and of other bytes their size alone. */
export function TextPreview({ previewed, kind }: TextPreviewProps): ReactElement {
  const { data, error, refetch } = useFileStart(previewed)
  const { size, path } = previewed.file
  const [isRaw, setIsRaw] = useState(false)
  const json = useMemo(() => (kind === "json" && data?.isWhole === true ? jsonOf(data.text) : undefined), [kind, data])
  if (error !== null) return <ErrorCard error={error} again={() => void refetch()} />
  if (data === undefined) return <Loading />
  const { text, isWhole } = data
  if (text === null) return <p className="soft">{formatBytes(size)} that are not text. Download the file to open it.</p>
  if (text === "") return <p className="soft">The file is empty.</p>
  const hasForm = kind === "markdown" || json !== undefined
  return (
    <>
      <div className="actions">
        {hasForm ? (
          <button type="button" className="quiet" aria-pressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
            As written
          </button>
        ) : null}
        <CopyButton text={text} what={isWhole ? path : `the first ${formatBytes(MAX_SHOWN)}`} />
      </div>
      {isWhole ? null : (
        <p className="soft" role="note">
          The first {formatBytes(MAX_SHOWN)} of {formatBytes(size)}. Download the file to see the rest.
        </p>
      )}
      {isRaw || !hasForm ? (
        <PlainText text={text} label={path} />
      ) : json === undefined ? (
        <MarkdownStart text={text} label={path} />
      ) : (
        <JsonTree value={json.value} open={2} />
      )}
    </>
  )
}

function PlainText({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  return (
    <pre className="file-text" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  )
}

/** Renders the first 20,000 characters with their form, and further ones as they are: the work of the parser grows faster than the text. */
function MarkdownStart({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  if (text.length <= MAX_PARSED) return <Markdown text={text} />
  const line = text.lastIndexOf("\n", MAX_PARSED)
  const end = line > 0 ? line + 1 : MAX_PARSED
  return (
    <>
      <Markdown text={text.slice(0, end).toWellFormed()} />
      <p className="soft">The rest as it was written:</p>
      <PlainText text={text.slice(end).toWellFormed()} label={`the rest of ${label}`} />
    </>
  )
}

/** Returns a JSON value with all digits of its numbers. Undefined: the text is not JSON. */
function jsonOf(text: string | null): { readonly value: unknown } | undefined {
  if (text === null) return undefined
  try {
    const { value, lost } = parseExactJson(text)
    return lost === null ? { value } : undefined
  } catch {
    return undefined
  }
}
