import { isAssayError } from "@assay/schemas/errors"
import { useCallback, useEffect, useMemo, useRef, useState, type ReactElement, type ReactNode } from "react"
import { FieldFaultsContext, keyOfIssue } from "../fields/field-faults.ts"
import { ErrorCard } from "../failures/error-card.tsx"

export interface FormDialogProps {
  /** The words of the button that opens it. */
  readonly label: string
  /** Replaces the words in the button, such as an icon. They stay its name. */
  readonly shown?: ReactNode
  readonly title: string
  /** The words of the button that sends it. */
  readonly send: string
  /** The look of its buttons. Default: a primary button in the dialog alone. */
  readonly look?: "primary" | "danger"
  /** Whether it can be sent. Default true. */
  readonly isReady?: boolean
  /** Called before it opens by its button: fill or empty the fields. */
  readonly onOpen?: () => void
  /** Opens it without its button each time this becomes another value, such as dropped files. Default: only its button opens it. */
  readonly openFor?: object | undefined
  readonly onSend: () => Promise<unknown>
  /** The page of the documentation that explains the fields, below `/help/`. */
  readonly help?: string
  /** The fields. The browser checks what they require. */
  readonly children: ReactNode
}

/** Renders a button that opens a form. It closes when the form was sent; a failure is shown in it, and what is wrong with a field at the field. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { label, shown, title, send, look, isReady = true, onOpen, openFor, onSend, help, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const isBusy = useRef(false)
  const [error, setError] = useState<unknown>()
  const { faults, isAtFields } = useFaultsOf(error)
  const open = () => {
    onOpen?.()
    setError(undefined)
    dialog.current?.showModal()
  }
  useEffect(() => {
    if (openFor === undefined) return
    setError(undefined)
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [openFor])
  const submit = async () => {
    // The button is not disabled meanwhile: it would lose the focus.
    if (isBusy.current) return
    isBusy.current = true
    setError(undefined)
    try {
      await onSend()
      dialog.current?.close()
    } catch (failure) {
      setError(failure)
    } finally {
      isBusy.current = false
    }
  }
  return (
    <>
      <OpenButton label={label} shown={shown} look={look} onOpen={open} />
      <dialog ref={dialog} aria-label={title}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <h2>{title}</h2>
          <FieldFaultsContext value={faults}>{children}</FieldFaultsContext>
          {error === undefined || isAtFields ? null : <ErrorCard error={error} />}
          <p className="actions">
            {help === undefined ? null : <a href={`/help/${help}`}>Guide</a>}
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" className={look ?? "primary"} disabled={!isReady}>
              {send}
            </button>
          </p>
        </form>
      </dialog>
    </>
  )
}

/** Returns what fields show of a failure, and whether they show all of it. */
function useFaultsOf(error: unknown) {
  const [claimed, setClaimed] = useState<readonly string[]>([])
  const claim = useCallback((key: string) => {
    setClaimed((before) => [...before, key])
    return () => setClaimed((before) => before.toSpliced(before.indexOf(key), 1))
  }, [])
  const issues = useMemo(() => (isAssayError(error) ? error.issues : []), [error])
  const faults = useMemo(() => ({ issues, claim }), [issues, claim])
  return { faults, isAtFields: issues.length > 0 && issues.every((issue) => claimed.includes(keyOfIssue(issue))) }
}

interface OpenButtonProps extends Pick<FormDialogProps, "label" | "shown"> {
  readonly look: FormDialogProps["look"] | undefined
  readonly onOpen: () => void
}

function OpenButton({ label, shown, look, onOpen }: OpenButtonProps): ReactElement {
  return shown === undefined ? (
    <button type="button" className={look} onClick={onOpen}>
      {label}
    </button>
  ) : (
    <button type="button" className="quiet icon-button" aria-label={label} title={label} onClick={onOpen}>
      {shown}
    </button>
  )
}
