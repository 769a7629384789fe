import { useState, type DragEvent, type ReactElement, type ReactNode } from "react"
import "./drop-zone.css"

export interface DropZoneProps {
  /** Says what a drop does, while something is dragged over it. */
  readonly hint: string
  readonly onDrop: (data: DataTransfer) => void
  readonly children: ReactNode
}

/** Takes files that are dropped anywhere on its children. There has to be a button that does the same without a mouse. */
export function DropZone({ hint, onDrop, children }: DropZoneProps): ReactElement {
  const [isOver, setOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files")
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a button does the same without a mouse
    <div
      className="drop-zone"
      data-over={isOver ? hint : undefined}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        // A move from one child to another does not leave the zone.
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        onDrop(event.dataTransfer)
      }}
    >
      {children}
    </div>
  )
}
