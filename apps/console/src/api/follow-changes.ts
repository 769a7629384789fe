import type { ChangedRecord } from "@assay/schemas"

export interface ChangesListener {
  /** Receives the records that have changed. Undefined: anything may have. */
  readonly onChanges: (changes: readonly ChangedRecord[] | undefined) => void
  /** Called when the server is not heard, and again while it is not. */
  readonly onSilence: () => void
  /** Called when the server refuses the stream, as it does without a session. */
  readonly onRefused: () => void
}

/** Milliseconds of silence after which the server may be lost. It says something every 2 seconds. */
const SILENCE_MS = 3200
/** Milliseconds before a refused stream is opened again. */
const REFUSED_MS = 10_000

/**
 * Follows what changes on the server, by one event stream, while the tab can be seen. A browser has six connections to a server, for all
 * tabs together. Returns a function that ends it.
 * @param isWanted whether the stream is open now. It is asked when the tab is shown or hidden
 */
export function followChanges(
  { onChanges, onSilence, onRefused }: ChangesListener,
  isWanted = () => !document.hidden,
): () => void {
  let source: EventSource | undefined
  let seen: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const later = (milliseconds: number, work: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(work, milliseconds)
  }
  const lost = () => {
    onSilence()
    open()
  }
  const hear = (event: MessageEvent<string>) => {
    seen = event.lastEventId
    later(SILENCE_MS, lost)
    if (event.type === "beat") return
    const { changes } = JSON.parse(event.data) as { readonly changes: readonly ChangedRecord[] }
    onChanges(event.type === "refresh" ? undefined : changes)
  }
  const close = () => {
    clearTimeout(timer)
    source?.close()
    source = undefined
  }
  const open = () => {
    close()
    const opened = new EventSource(`/v1/changes${seen === undefined ? "" : `?after=${encodeURIComponent(seen)}`}`)
    source = opened
    for (const name of ["beat", "changes", "refresh"]) opened.addEventListener(name, hear)
    opened.addEventListener("error", () => {
      if (opened.readyState !== EventSource.CLOSED) {
        // The browser opens it again by itself. A stream that ended after its time loses nothing.
        onSilence()
        return
      }
      onRefused()
      later(REFUSED_MS, open)
    })
    later(SILENCE_MS, lost)
  }
  const onVisibility = () => (isWanted() ? open() : close())
  document.addEventListener("visibilitychange", onVisibility)
  if (isWanted()) open()
  return () => {
    document.removeEventListener("visibilitychange", onVisibility)
    close()
  }
}
