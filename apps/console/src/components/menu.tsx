import { useEffect, useRef, type ReactElement, type ReactNode } from "react"

/** Renders a button that opens a small panel. It closes with escape and with a click elsewhere. */
export function Menu({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  const panel = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const menu = panel.current
      if (menu === null || !menu.open) return
      const isInside = menu.contains(event.target as Node)
      if (event instanceof KeyboardEvent ? event.key !== "Escape" : isInside) return
      menu.open = false
      // The element that had the focus is hidden now.
      if (isInside) menu.querySelector("summary")?.focus()
    }
    document.addEventListener("pointerdown", close)
    document.addEventListener("keydown", close)
    return () => {
      document.removeEventListener("pointerdown", close)
      document.removeEventListener("keydown", close)
    }
  }, [])
  return (
    <details className="menu" ref={panel}>
      <summary>{label}</summary>
      <div className="panel">{children}</div>
    </details>
  )
}
