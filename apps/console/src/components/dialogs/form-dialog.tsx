import { useRef, useState, type ReactElement, type ReactNode } from "react"
import { ErrorCard } from "../failures/error-card.tsx"

export interface FormDialogProps {
  /** The words of the button that opens it. */
  readonly label: string
  readonly title: string
  /** The words of the button that sends it. */
  readonly send: string
  readonly isPrimary?: boolean
  /** Called before it opens: fill or empty the fields. */
  readonly onOpen?: () => void
  readonly onSend: () => Promise<unknown>
  /** The fields. The browser checks what they require. */
  readonly children: ReactNode
}

/** Renders a button that opens a form. It closes when the form was sent; a failure is shown in it. */
export function FormDialog({ label, title, send, isPrimary, onOpen, onSend, children }: FormDialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const open = () => {
    onOpen?.()
    setError(undefined)
    dialog.current?.showModal()
  }
  const submit = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await onSend()
      dialog.current?.close()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" className={isPrimary === true ? "primary" : undefined} onClick={open}>
        {label}
      </button>
      <dialog ref={dialog} aria-label={title}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <h2>{title}</h2>
          {children}
          {error === undefined ? null : <ErrorCard error={error} />}
          <p className="actions">
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" className="primary" disabled={isBusy}>
              {send}
            </button>
          </p>
        </form>
      </dialog>
    </>
  )
}
