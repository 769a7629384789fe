import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { WorkspaceSelect, useWorkspace } from "../../../components/fields/workspace-select.tsx"
import { Loading } from "../../../components/loading.tsx"
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
  const [given] = useSearchValue("workspace")
  const { jobs } = useClient().evaluation
  // A workspace without jobs has nothing to show: without a choice, it is the one of the newest job.
  const { data, isPending } = useQuery({
    queryKey: ["jobs", "newest"],
    queryFn: ({ signal }) => jobs.page({ page_size: 1, filter: { status: "COMPLETED" } }, { signal }),
    enabled: given === undefined,
  })
  const otherwise = data?.data[0]?.namespace
  const [workspace] = useWorkspace(otherwise)
  const [tab = "trend"] = useSearchValue("tab")
  const current = Object.hasOwn(TABS, tab) ? (tab as keyof typeof TABS) : "trend"
  return (
    <>
      <PageHeader help="guides/baselines" title="Over time" actions={<WorkspaceSelect otherwise={otherwise} />}>
        Scores, cost and failures of the jobs of a workspace.
      </PageHeader>
      <Tabs label="Parts of the page" tabs={TABS} current={current} />
      {isPending && given === undefined ? <Loading /> : <Part tab={current} workspace={workspace} />}
    </>
  )
}

function Part({ tab, workspace }: { readonly tab: keyof typeof TABS; readonly workspace: string }): ReactElement {
  if (tab === "leaderboard") return <LeaderboardTab workspace={workspace} />
  return tab === "baselines" ? <BaselinesTab workspace={workspace} /> : <TrendTab workspace={workspace} />
}
