import { useEffect, useState } from "react"

export const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

const KEY = "assay.theme"

/** Returns the theme that the user chose, and the function that changes it. It is a habit of this browser, not a record. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(readTheme)
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"]
    else document.documentElement.dataset["theme"] = theme
    writeTheme(theme)
  }, [theme])
  return [theme, setTheme]
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === kept) ?? "system"
  } catch {
    // Storage can be forbidden by the browser.
    return "system"
  }
}

function writeTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // The choice then lasts as long as the page.
  }
}
