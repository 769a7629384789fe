import { formatBytes } from "@assay/reports"
import { useRef, useState, type ReactElement, type ReactNode } from "react"
import { messageOf } from "@assay/schemas/errors"
import { DropZone } from "../../../components/drop-zone.tsx"
import { ProgressBar } from "../../../components/progress-bar.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { filesOfDrop, type DroppedFile } from "./dropped-files.ts"
import { useHandedFiles } from "./handed-files.ts"
import { useUploads, type QueuedUpload } from "./use-uploads.ts"

export interface UploadAreaProps {
  readonly workspace: string
  readonly name: string
  /** Files go below it. Empty or with a slash at its end. */
  readonly folder: string
  /** The element on which files can be dropped. */
  readonly children: ReactNode
}

/** Takes files and folders that are chosen, or dropped anywhere on its children, and shows how far they are. */
export function UploadArea({ workspace, name, folder, children }: UploadAreaProps): ReactElement {
  const [fault, setFault] = useState<string>()
  const { uploads, add, retry, cancel, clear } = useUploads(workspace, name)
  useHandedFiles(workspace, name, add)
  const drop = async (data: DataTransfer) => {
    try {
      add(await filesOfDrop(data, folder))
      setFault(undefined)
    } catch (error) {
      setFault(messageOf(error))
    }
  }
  const hasEnded = uploads.some(({ status }) => status === "done" || status === "failed")
  return (
    <DropZone hint={`Upload to ${folder === "" ? name : folder}`} onDrop={(data) => void drop(data)}>
      <section className="drop" aria-label="Upload">
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
      {children}
    </DropZone>
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
