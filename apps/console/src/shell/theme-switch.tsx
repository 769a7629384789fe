import type { ReactElement } from "react"
import { THEMES, useTheme, type Theme } from "./theme.ts"

const LABELS: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" }

/** Renders the choice between light, dark and what the system asks for. */
export function ThemeSwitch(): ReactElement {
  const [theme, setTheme] = useTheme()
  return (
    <label className="theme">
      <span className="unseen">Theme</span>
      <select value={theme} onChange={({ target }) => setTheme(target.value as Theme)}>
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {LABELS[name]}
          </option>
        ))}
      </select>
    </label>
  )
}
