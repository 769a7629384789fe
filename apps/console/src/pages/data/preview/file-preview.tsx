import { formatBytes } from "@assay/reports"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { Time } from "../../../components/times/time.tsx"
import { ImagePreview } from "./image-preview.tsx"
import { hasRows, previewKind } from "./preview-kind.ts"
import "./preview.css"
import { RowsPreview } from "./rows-preview.tsx"
import { TextPreview } from "./text-preview.tsx"
import type { PreviewedFile } from "./use-file-start.ts"

export interface FilePreviewProps {
  readonly workspace: string
  readonly name: string
  readonly path: string
  readonly onClose: () => void
}

/** Shows what is in a file beside the list, without running anything of it. */
export function FilePreview({ workspace, name, path, onClose }: FilePreviewProps): ReactElement {
  const client = useClient()
  const { data: file, error } = useQuery({
    queryKey: ["files", workspace, name, "stat", path],
    queryFn: ({ signal }) => client.files.stat(workspace, name, path, { signal }),
  })
  const short = path.slice(path.lastIndexOf("/") + 1)
  return (
    <aside className="card attempts file-preview" aria-label={`Preview of ${path}`}>
      <header className="actions">
        <h2 title={path}>{short}</h2>
        <span className="gap" />
        {hasRows(path) ? (
          <Link
            className={previewKind(path) === "rows" ? "button primary" : "button"}
            to="/rows/$workspace/$name"
            params={{ workspace, name }}
            search={{ path }}
          >
            Show all rows
          </Link>
        ) : null}
        {file === undefined ? null : (
          <a className="button" href={file.file_url} download={short}>
            Download
          </a>
        )}
        <button type="button" className="quiet" title="Close (Escape)" onClick={onClose}>
          Close
        </button>
      </header>
      {file === undefined ? null : (
        <p className="soft">
          {formatBytes(file.size)}, changed <Time at={file.updated_at} />
        </p>
      )}
      {error === null ? null : <ErrorCard error={error} />}
      {file === undefined ? error === null ? <Loading /> : null : <Contents previewed={{ workspace, name, file }} />}
    </aside>
  )
}

/** Another version of the file is another preview. */
function Contents({ previewed }: { readonly previewed: PreviewedFile }): ReactElement {
  const { file } = previewed
  const kind = previewKind(file.path)
  const key = `${file.path} ${file.etag}`
  if (kind === "image") return <ImagePreview key={key} file={file} />
  return kind === "rows" ? (
    <RowsPreview key={key} {...previewed} />
  ) : (
    <TextPreview key={key} previewed={previewed} kind={kind} />
  )
}
