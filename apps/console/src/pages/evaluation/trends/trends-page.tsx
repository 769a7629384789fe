import type { ReactElement } from "react"
import { WorkspaceSelect, useWorkspace } from "../../../components/fields/workspace-select.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Tabs } from "../../../components/tabs.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { BaselinesTab } from "./baselines-tab.tsx"
import { LeaderboardTab } from "./leaderboard-tab.tsx"
import { TrendTab } from "./trend-tab.tsx"
import "../compare/pickers.css"
import "./trends.css"

const TABS = { trend: "Over time", leaderboard: "Leaderboard", baselines: "Baselines" } as const

/** Shows what the jobs of a workspace found over time, which of them is best, and the baselines. */
export function TrendsPage(): ReactElement {
  const [workspace] = useWorkspace()
  const [tab = "trend"] = useSearchValue("tab")
  const current = Object.hasOwn(TABS, tab) ? (tab as keyof typeof TABS) : "trend"
  return (
    <>
      <PageHeader title="Over time" actions={<WorkspaceSelect />}>
        Scores, cost and failures of the jobs of a workspace.
      </PageHeader>
      <Tabs label="Parts of the page" tabs={TABS} current={current} />
      {current === "trend" ? <TrendTab workspace={workspace} /> : null}
      {current === "leaderboard" ? <LeaderboardTab workspace={workspace} /> : null}
      {current === "baselines" ? <BaselinesTab workspace={workspace} /> : null}
    </>
  )
}
