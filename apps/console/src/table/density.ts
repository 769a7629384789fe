import { useSyncExternalStore } from "react"

const DENSITIES = ["comfortable", "compact"] as const
/** How much room the rows of tables have. */
type Density = (typeof DENSITIES)[number]

const KEY = "assay.density"
const CHANGED = "assay-density"

/** Returns the density that the user chose for all tables, and the function that changes it. It is a habit of this browser, not a record. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  return [useSyncExternalStore(follow, readDensity), chooseDensity]
}

/** Returns the height of a row of a table in pixels. @param height that of a comfortable row */
export function rowHeightOf(height: number, density: Density): number {
  return density === "compact" ? height - 8 : height
}

function follow(onChange: () => void): () => void {
  const events = [CHANGED, "storage"]
  for (const event of events) addEventListener(event, onChange)
  return () => {
    for (const event of events) removeEventListener(event, onChange)
  }
}

function readDensity(): Density {
  const kept = document.documentElement.dataset["density"] ?? keptDensity()
  return DENSITIES.find((density) => density === kept) ?? "comfortable"
}

function keptDensity(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // Storage can be forbidden by the browser.
    return null
  }
}

function chooseDensity(density: Density): void {
  try {
    localStorage.setItem(KEY, density)
  } catch {
    // The choice then lasts as long as the page.
    document.documentElement.dataset["density"] = density
  }
  dispatchEvent(new Event(CHANGED))
}
