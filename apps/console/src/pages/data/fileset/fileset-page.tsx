import { formatBytes, formatInteger } from "@assay/reports"
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { Badge } from "../../../components/badge.tsx"
import { EvaluateLink } from "../../../components/evaluate-link.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Tabs } from "../../../components/tabs.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { locationOf } from "../filesets/fileset-columns.tsx"
import { HistoryTab } from "../history/history-tab.tsx"
import "./fileset.css"
import { FilesTab } from "./files-tab.tsx"
import { MetadataTab } from "./metadata-tab.tsx"
import { SettingsTab } from "./settings-tab.tsx"
import { SignatureBadge } from "./signature-card.tsx"
import { SnippetsTab } from "./snippets-tab.tsx"
import { StorageTab } from "./storage-tab.tsx"

const TABS = {
  files: "Files",
  history: "History",
  metadata: "Metadata",
  storage: "Storage",
  use: "Use it",
  settings: "Settings",
} as const
type Tab = keyof typeof TABS

/** Shows one fileset: its files, their metadata and storage, and how programs get them. */
export function FilesetPage(): ReactElement {
  const client = useClient()
  const { workspace = "", name = "" } = useParams({ strict: false })
  const [tab = "files"] = useSearchValue("tab")
  const { data: fileset, error } = useQuery({
    queryKey: ["filesets", workspace, name],
    queryFn: ({ signal }) => client.filesets.get(workspace, name, { include: ["usage"], signal }),
  })
  const { settings, ...readOnly } = TABS
  const tabs = useRights().mayEdit(workspace) ? { ...readOnly, settings } : readOnly
  const current: Tab = Object.hasOwn(tabs, tab) ? (tab as Tab) : "files"
  return (
    <>
      <PageHeader
        help="start/first-fileset"
        title={name}
        above={<Link to="/filesets">Filesets</Link>}
        actions={fileset?.purpose === "dataset" ? <EvaluateLink workspace={workspace} fileset={name} /> : undefined}
      >
        <span>{workspace}</span>
        {fileset === undefined ? null : (
          <>
            <Badge text={fileset.purpose} />
            {fileset.signature_status === undefined ? null : <SignatureBadge status={fileset.signature_status} />}
            <span>{locationOf(fileset.storage)}</span>
            {fileset.usage ? (
              <span>
                {formatInteger(fileset.usage.files)} {fileset.usage.files === 1 ? "file" : "files"},{" "}
                {formatBytes(fileset.usage.bytes)}
                {fileset.usage.kept_bytes === undefined
                  ? null
                  : `, and ${formatBytes(fileset.usage.kept_bytes)} in its history`}
              </span>
            ) : null}
            <span>
              created <Time at={fileset.created_at} />
            </span>
            {fileset.description === "" ? null : <span dir="auto">{fileset.description}</span>}
          </>
        )}
      </PageHeader>
      {error === null ? null : <ErrorCard error={error} />}
      {fileset === undefined ? (
        error === null ? (
          <Loading />
        ) : null
      ) : (
        <>
          <Tabs label="Parts of the fileset" tabs={tabs as typeof TABS} current={current} />
          {current === "files" ? <FilesTab fileset={fileset} /> : null}
          {current === "history" ? <HistoryTab fileset={fileset} /> : null}
          {current === "metadata" ? <MetadataTab key={fileset.updated_at} fileset={fileset} /> : null}
          {current === "storage" ? <StorageTab fileset={fileset} /> : null}
          {current === "use" ? <SnippetsTab fileset={fileset} /> : null}
          {current === "settings" ? <SettingsTab key={fileset.updated_at} fileset={fileset} /> : null}
        </>
      )}
    </>
  )
}
