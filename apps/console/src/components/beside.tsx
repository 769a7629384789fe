import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode } from "react"
import "./beside.css"
import { useFittedHeight } from "./use-fitted-height.ts"

export interface BesideProps {
  readonly children: ReactNode
  /** Shown right of the children, or below them on a narrow page. Null: the children have the whole width. */
  readonly panel: ReactNode
  /** The width of the panel before somebody changes it, in percent, and what the browser keeps the chosen width for. Default: 40, for all such panels. */
  readonly width?: { readonly share: number; readonly of: string }
}

const KEPT_AT = "assay.panel-width"
const USUAL = { share: 40, of: "" }
const MIN_SHARE = 20
const MAX_SHARE = 90
const KEY_STEPS: Readonly<Record<string, number>> = { ArrowLeft: 4, ArrowRight: -4, Home: 100, End: -100 }

/** Renders a panel beside something, and a handle that makes it wider: by dragging, or by the arrow keys. The browser keeps the width. */
export function Beside({ children, panel, width }: BesideProps): ReactElement {
  const { share: usual, of } = width ?? USUAL
  const keptAt = of === "" ? KEPT_AT : `${KEPT_AT}.${of}`
  const [share, setShare] = useState(() => keptShare(keptAt, usual))
  const box = useRef<HTMLDivElement>(null)
  useFittedHeight(box)
  const choose = (next: number) => {
    const chosen = Math.round(Math.max(MIN_SHARE, Math.min(MAX_SHARE, next)))
    setShare(chosen)
    localStorage.setItem(keptAt, String(chosen))
  }
  return (
    // One structure with and without the panel: the children keep their state.
    <div
      ref={box}
      className={panel === null ? undefined : "beside"}
      style={
        panel === null ? undefined : { gridTemplateColumns: `minmax(0, ${100 - share}fr) 12px minmax(0, ${share}fr)` }
      }
    >
      <div>{children}</div>
      {panel === null ? null : <Handle share={share} usual={usual} onChoose={choose} />}
      {panel}
    </div>
  )
}

interface HandleProps {
  /** The width of the panel in percent. */
  readonly share: number
  readonly usual: number
  readonly onChoose: (share: number) => void
}

function Handle({ share, usual, onChoose }: HandleProps): ReactElement {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEY_STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    onChoose(share + step)
  }
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    const box = currentTarget.parentElement?.getBoundingClientRect()
    if (box !== undefined && box.width > 0) onChoose((100 * (box.right - clientX)) / box.width)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that moves is a control
    <div
      role="separator"
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuemin={MIN_SHARE}
      aria-valuemax={MAX_SHARE}
      aria-valuenow={share}
      title="Drag, or press the arrow keys, to change the width of the panel"
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => onChoose(usual)}
    />
  )
}

function keptShare(keptAt: string, usual: number): number {
  const kept = Number(localStorage.getItem(keptAt))
  return kept >= MIN_SHARE && kept <= MAX_SHARE ? kept : usual
}
