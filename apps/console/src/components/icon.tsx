import type { ReactElement } from "react"

/** The outlines of icons on a field of 16 by 16. */
const PATHS = {
  home: "M2 7.5 8 2.5l6 5M4 6.5V13h3v-3.5h2V13h3V6.5",
  filesets: "M2.5 4h4l1.2 1.5h5.8V12.5h-11z",
  models: "M8 2.2 13 5v6L8 13.8 3 11V5zM3.2 5 8 7.8 12.8 5M8 7.8v5.8",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9",
  jobs: "M3 13V8M6.4 13V3M9.7 13V9.5M13 13V6",
  launch: "M5 3.5v9l7.5-4.5z",
  prompt: "M2.5 3h11v7.5H8L5 13v-2.5H2.5zM5 6h6M5 8h4",
  compare: "M5 2.5v11M11 2.5v11M2.5 6H8M8 10h5.5",
  trends: "M2.5 2.5v11h11M5 10l3-3.5 2 1.5 3.5-4.5",
  guardrails: "M8 2 3 4v4c0 3 2.2 5 5 6 2.8-1 5-3 5-6V4zM5.8 8l1.6 1.7L10.4 6.5",
  calibration: "M2.5 13.5v-11M2.5 13.5h11M5 4.5h4v4H5zM10 8.5h2.5v2.5H10z",
  secrets: "M4.5 7.5V5.5a3.5 3.5 0 0 1 7 0v2M3.5 7.5h9v6h-9zM8 9.8v1.7",
  workspaces: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  spending:
    "M8 2.2a5.8 5.8 0 1 0 0 11.6 5.8 5.8 0 0 0 0-11.6M10 5.8C9.5 5.2 8.8 5 8 5c-1.2 0-2 .6-2 1.5 0 2 4 1 4 3 0 .9-.8 1.5-2 1.5-.8 0-1.5-.3-2-.9M8 4v8",
  tokens: "M9.5 6.5a3 3 0 1 0-1 2.2l1 1h1.5v1.5h1.5v1.5H14v-2L9.3 7.4",
  audit: "M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2",
  download: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13h11",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  external: "M6 3.5H3v9.5h9.5V10M9 3h4v4M13 3 7.5 8.5",
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
