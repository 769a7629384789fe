import type { ReactElement, ReactNode } from "react"

export interface CheckFieldProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly isDisabled?: boolean
  /** The words beside the box. */
  readonly children: ReactNode
}

/** Renders a box that can be checked, with its words beside it. */
export function CheckField({ isChecked, onChange, isDisabled = false, children }: CheckFieldProps): ReactElement {
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
  )
}
