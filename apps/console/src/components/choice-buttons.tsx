import type { ReactElement, ReactNode } from "react"

export interface ChoiceButtonsProps<T extends string> {
  /** Names the choice for screen readers. */
  readonly label: string
  /** The words of each choice. Those without words are not offered. */
  readonly choices: Readonly<Partial<Record<T, string>>>
  readonly chosen: T
  readonly onChoose: (choice: T) => void
  /** Stands beside the choices. */
  readonly children?: ReactNode
}

/** Renders a row of buttons of which one is pressed. */
export function ChoiceButtons<T extends string>(props: ChoiceButtonsProps<T>): ReactElement {
  const { label, choices, chosen, onChoose, children } = props
  return (
    <div className="actions choice-buttons" role="group" aria-label={label}>
      {(Object.keys(choices) as T[]).map((choice) => (
        <button key={choice} type="button" aria-pressed={choice === chosen} onClick={() => onChoose(choice)}>
          {choices[choice]}
        </button>
      ))}
      {children}
    </div>
  )
}
