import type { IconName } from "../components/icon.tsx"

/** A page that the navigation leads to. */
export interface PageEntry {
  readonly to: string
  readonly label: string
  readonly icon: IconName
}

export const HOME: PageEntry = { to: "/", label: "Home", icon: "home" }

/** The pages in groups. */
export const PAGE_GROUPS: readonly { readonly title: string; readonly entries: readonly PageEntry[] }[] = [
  {
    title: "Data",
    entries: [
      { to: "/filesets", label: "Filesets", icon: "filesets" },
      { to: "/models", label: "Models", icon: "models" },
      { to: "/trash", label: "Trash", icon: "trash" },
    ],
  },
  {
    title: "Evaluation",
    entries: [
      { to: "/jobs", label: "Jobs", icon: "jobs" },
      { to: "/launch", label: "Launch", icon: "launch" },
      { to: "/prompt", label: "Prompt", icon: "prompt" },
      { to: "/compare", label: "Compare", icon: "compare" },
      { to: "/trends", label: "Over time", icon: "trends" },
    ],
  },
  {
    title: "Judge",
    entries: [
      { to: "/guardrails", label: "Guardrails", icon: "guardrails" },
      { to: "/calibration", label: "Calibration", icon: "calibration" },
    ],
  },
  {
    title: "Settings",
    entries: [
      { to: "/workspaces", label: "Workspaces", icon: "workspaces" },
      { to: "/spending", label: "Spending", icon: "spending" },
      { to: "/secrets", label: "Secrets", icon: "secrets" },
      { to: "/tokens", label: "Tokens", icon: "tokens" },
      { to: "/audit", label: "Audit", icon: "audit" },
    ],
  },
]
