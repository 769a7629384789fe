import type { ReactElement } from "react"

/** The outlines of icons on a field of 16 by 16. */
const PATHS = {
  home: "M2 7.5 8 2.5l6 5M4 6.5V13h3v-3.5h2V13h3V6.5",
  filesets: "M2.5 4h4l1.2 1.5h5.8V12.5h-11z",
  models: "M8 2.2 13 5v6L8 13.8 3 11V5zM3.2 5 8 7.8 12.8 5M8 7.8v5.8",
  jobs: "M3 13V8M6.4 13V3M9.7 13V9.5M13 13V6",
  launch: "M5 3.5v9l7.5-4.5z",
  compare: "M5 2.5v11M11 2.5v11M2.5 6H8M8 10h5.5",
  trends: "M2.5 2.5v11h11M5 10l3-3.500 2 1.500 3.500-4.500",
  guardrails: "M8 2 3 4v4c0 3 2.2 5 5 6 2.8-1 5-3 5-6V4zM5.8 8l1.6 1.7L10.4 6.500",
  calibration: "M2.500 13.500v-11M2.500 13.500h11M5 4.500h4v4H5zM10 8.500h2.500v2.500H10z",
  secrets: "M4.5 7.500V5.500a3.500 3.500 0 0 1 7 0v2M3.500 7.500h9v6h-9zM8 9.800v1.700",
  workspaces: "M2.500 2.500h4.500v4.500H2.500zM9 2.500h4.500v4.500H9zM2.500 9h4.500v4.500H2.500zM9 9h4.500v4.500H9z",
  tokens: "M9.500 6.500a3 3 0 1 0-1 2.200l1 1h1.500v1.500h1.500v1.500H14v-2L9.300 7.400",
  audit: "M4 2.500h8v11H4zM6 5.500h4M6 8h4M6 10.500h2",
  menu: "M2.500 4.500h11M2.500 8h11M2.500 11.500h11",
  external: "M6 3.500H3v9.500h9.500V10M9 3h4v4M13 3 7.500 8.500",
} as const
export type IconName = keyof typeof PATHS

/** Draws an icon beside a word. It has no meaning of its own. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
