import { useState, type ReactElement, type ReactNode } from "react"
import { FormDialog } from "./form-dialog.tsx"

export interface ConfirmButtonProps {
  /** The words of the button, such as `Delete`. */
  readonly label: string
  /** Stands in the place of the words, which then name the button for those who hear it: an icon. */
  readonly icon?: { readonly shown: ReactNode; readonly name: string }
  /** The question of the dialog. */
  readonly title: string
  /** Says what the user loses. */
  readonly children: ReactNode
  /** The name that must be typed before the button works. Default: none. */
  readonly typed?: string
  readonly onConfirm: () => Promise<unknown>
}

/** Renders a button that asks before it deletes something. A failure is shown in the dialog. */
export function ConfirmButton({ label, icon, title, children, typed, onConfirm }: ConfirmButtonProps): ReactElement {
  const [text, setText] = useState("")
  return (
    <FormDialog
      label={icon?.name ?? label}
      {...(icon === undefined ? {} : { shown: icon.shown })}
      title={title}
      send={label}
      look="danger"
      isReady={typed === undefined || text === typed}
      onOpen={() => setText("")}
      onSend={onConfirm}
    >
      {children}
      {typed === undefined ? null : (
        <label className="field">
          Type <code>{typed}</code> to confirm
          <input value={text} onChange={({ target }) => setText(target.value)} autoComplete="off" />
        </label>
      )}
    </FormDialog>
  )
}
