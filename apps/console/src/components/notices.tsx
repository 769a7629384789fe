import { createContext, use, useCallback, useMemo, useRef, useState, type ReactElement, type ReactNode } from "react"

interface Notice {
  readonly id: number
  readonly text: string
  readonly undo?: (() => void) | undefined
}

type Notify = (text: string, undo?: () => void) => void

const NoticesContext = createContext<Notify>(() => undefined)

/** Milliseconds that a notice stays. A notice with an undo stays longer, so that the user can reach the button. */
const SHOWN_MS = 5000
const UNDO_MS = 10_000

/** Shows short notices of what just happened below the pages inside it. */
export function NoticesProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const next = useRef(0)
  const remove = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), [])
  const notify = useCallback<Notify>(
    (text, undo) => {
      const id = next.current++
      setNotices((all) => [...all.slice(-3), { id, text, undo }])
      setTimeout(() => remove(id), undo === undefined ? SHOWN_MS : UNDO_MS)
    },
    [remove],
  )
  const list = useMemo(
    () => (
      <div className="notices" role="status" aria-live="polite">
        {notices.map(({ id, text, undo }) => (
          <p key={id}>
            {text}
            {undo === undefined ? null : (
              <button
                type="button"
                className="quiet"
                onClick={() => {
                  undo()
                  remove(id)
                }}
              >
                Undo
              </button>
            )}
          </p>
        ))}
      </div>
    ),
    [notices, remove],
  )
  return (
    <NoticesContext value={notify}>
      {children}
      {list}
    </NoticesContext>
  )
}

/** Returns the function that shows the user what happened, with a way to undo it if there is one. */
export function useNotify(): Notify {
  return use(NoticesContext)
}
