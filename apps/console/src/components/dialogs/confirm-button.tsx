import { useRef, useState, type ReactElement, type ReactNode } from "react"
import { ErrorCard } from "../failures/error-card.tsx"

export interface ConfirmButtonProps {
  /** The words of the button, such as `Delete`. */
  readonly label: string
  /** The question of the dialog. */
  readonly title: string
  /** Says what the user loses. */
  readonly children: ReactNode
  /** The name that must be typed before the button works. Default: none. */
  readonly typed?: string
  readonly onConfirm: () => Promise<unknown>
}

/** Renders a button that asks before it deletes something. A failure is shown in the dialog. */
export function ConfirmButton({ label, title, children, typed, onConfirm }: ConfirmButtonProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState("")
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const open = () => {
    setText("")
    setError(undefined)
    dialog.current?.showModal()
  }
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      dialog.current?.close()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" className="danger" onClick={open}>
        {label}
      </button>
      <dialog ref={dialog} aria-label={title}>
        <form method="dialog" onSubmit={(event) => event.preventDefault()}>
          <h2>{title}</h2>
          {children}
          {typed === undefined ? null : (
            <label className="field">
              Type <code>{typed}</code> to confirm
              <input value={text} onChange={({ target }) => setText(target.value)} autoComplete="off" />
            </label>
          )}
          {error === undefined ? null : <ErrorCard error={error} />}
          <p className="actions">
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button
              type="submit"
              className="danger"
              disabled={isBusy || (typed !== undefined && text !== typed)}
              onClick={() => void confirm()}
            >
              {label}
            </button>
          </p>
        </form>
      </dialog>
    </>
  )
}
