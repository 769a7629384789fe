import { useState, type ReactElement } from "react"

/** Returns whether the browser may show notifications. Undefined if it can't, as without TLS on another machine. */
export function endNotification(): NotificationPermission | undefined {
  return "Notification" in globalThis && isSecureContext ? Notification.permission : undefined
}

/** Renders the button that asks the browser whether it may say when a job has ended. Nothing if it may already, or never. */
export function NotifyAtEnd(): ReactElement | null {
  const [permission, setPermission] = useState(endNotification)
  if (permission !== "default") return null
  const ask = async () => setPermission(await Notification.requestPermission())
  return (
    <button type="button" className="quiet" onClick={() => void ask()}>
      Notify me at its end
    </button>
  )
}
