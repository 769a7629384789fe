import { formatBytes } from "@assay/reports"
import { useRef, useState, type DragEvent, type ReactElement } from "react"
import { messageOf } from "@assay/schemas/errors"
import { ProgressBar } from "../../../components/progress-bar.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { filesOfDrop, type DroppedFile } from "./dropped-files.ts"
import { useUploads, type QueuedUpload } from "./use-uploads.ts"

export interface UploadAreaProps {
  readonly workspace: string
  readonly name: string
  /** Files go below it. Empty or with a slash at its end. */
  readonly folder: string
}

/** Takes files and folders that are dropped or chosen, and shows how far they are. */
export function UploadArea({ workspace, name, folder }: UploadAreaProps): ReactElement {
  const [isOver, setOver] = useState(false)
  const [fault, setFault] = useState<string>()
  const { uploads, add, retry, cancel, clear } = useUploads(workspace, name)
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    try {
      add(await filesOfDrop(event.dataTransfer, folder))
      setFault(undefined)
    } catch (error) {
      setFault(messageOf(error))
    }
  }
  const hasEnded = uploads.some(({ status }) => status === "done" || status === "failed")
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same without a mouse
    <section
      className="drop"
      aria-label="Upload"
      data-over={isOver ? "" : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <UploadTools folder={folder} onAdd={add} onClear={hasEnded ? clear : undefined} />
      {fault === undefined ? null : (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <ul className="uploads">
        {uploads.map((upload) => (
          <UploadLine
            key={upload.id}
            upload={upload}
            onRetry={() => retry(upload.id)}
            onCancel={() => cancel(upload.id)}
          />
        ))}
      </ul>
    </section>
  )
}

interface UploadToolsProps {
  readonly folder: string
  readonly onAdd: (files: readonly DroppedFile[]) => void
  /** Undefined while no upload has ended. */
  readonly onClear: (() => void) | undefined
}

/** Renders the button that chooses files, and the one that clears the list. */
function UploadTools({ folder, onAdd, onClear }: UploadToolsProps): ReactElement {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <p className="actions">
        <button type="button" onClick={() => input.current?.click()}>
          Upload files
        </button>
        <span className="soft">or drop files and folders here{folder === "" ? "" : `: they go to ${folder}`}</span>
        <span className="gap" />
        {onClear === undefined ? null : (
          <button type="button" className="quiet" onClick={onClear}>
            Clear the list
          </button>
        )}
      </p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onAdd([...(target.files ?? [])].map((file) => ({ path: `${folder}${file.name}`, file })))
          target.value = ""
        }}
      />
    </>
  )
}

interface UploadLineProps {
  readonly upload: QueuedUpload
  readonly onRetry: () => void
  readonly onCancel: () => void
}

function UploadLine({ upload, onRetry, onCancel }: UploadLineProps): ReactElement {
  const { path, file, sent, status, error } = upload
  const percent = file.size === 0 ? (status === "done" ? 100 : 0) : (sent / file.size) * 100
  return (
    <li>
      <div className="line">
        <span className="cut" title={path}>
          {path}
        </span>
        <span className="soft">
          {status === "done" ? `${formatBytes(file.size)}, done` : `${formatBytes(sent)} of ${formatBytes(file.size)}`}
        </span>
        {status === "failed" ? (
          <button type="button" className="quiet" onClick={onRetry}>
            Continue
          </button>
        ) : null}
        {status === "sending" || status === "waiting" ? (
          <button type="button" className="quiet" onClick={onCancel} aria-label={`Cancel the upload of ${path}`}>
            Cancel
          </button>
        ) : null}
      </div>
      {status === "done" ? null : <ProgressBar percent={percent} label={`Upload of ${path}`} />}
      {error === undefined ? null : <ErrorCard error={error} />}
    </li>
  )
}
