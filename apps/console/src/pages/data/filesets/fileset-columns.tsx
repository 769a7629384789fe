import { formatBytes, formatInteger } from "@assay/reports"
import type { Fileset, StorageConfiguration } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Time } from "../../../components/times/time.tsx"
import type { Column } from "../../../table/column.ts"

/** The columns of a listing of filesets. */
export const FILESET_COLUMNS: readonly Column<Fileset>[] = [
  {
    id: "name",
    title: "Name",
    narrow: "title",
    width: "minmax(15rem, 3fr)",
    sortBy: "name",
    render: ({ workspace, name }) => (
      <Link to="/filesets/$workspace/$name" params={{ workspace, name }} title={`${workspace}/${name}`}>
        <span className="soft">{workspace}/</span>
        {name}
      </Link>
    ),
    text: ({ workspace, name }) => `${workspace}/${name}`,
  },
  {
    id: "purpose",
    title: "Purpose",
    narrow: "end",
    width: "minmax(6rem, 0.7fr)",
    render: ({ purpose }) => purpose,
    text: ({ purpose }) => purpose,
  },
  {
    id: "storage",
    title: "Storage",
    width: "minmax(9rem, 2fr)",
    render: ({ storage }) => <span title={locationOf(storage)}>{locationOf(storage)}</span>,
    text: ({ storage }) => locationOf(storage),
  },
  {
    id: "files",
    title: "Files",
    width: "minmax(4.5rem, 0.6fr)",
    align: "end",
    render: ({ usage }) => (usage ? formatInteger(usage.files) : <Unknown />),
    text: ({ usage }) => (usage ? String(usage.files) : ""),
  },
  {
    id: "bytes",
    title: "Bytes",
    narrow: "below",
    width: "minmax(5.5rem, 0.6fr)",
    align: "end",
    render: ({ usage }) => (usage ? formatBytes(usage.bytes) : <Unknown />),
    text: ({ usage }) => (usage ? String(usage.bytes) : ""),
  },
  {
    id: "description",
    title: "Description",
    narrow: "below",
    width: "minmax(8rem, 2fr)",
    render: ({ description }) => (description === "" ? null : <span title={description}>{description}</span>),
    text: ({ description }) => description,
  },
  {
    id: "created",
    title: "Created",
    narrow: "below",
    width: "minmax(8rem, 1fr)",
    sortBy: "created_at",
    sortsDown: true,
    render: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
  {
    id: "updated",
    title: "Updated",
    width: "minmax(8rem, 1fr)",
    isExtra: true,
    render: ({ updated_at }) => <Time at={updated_at} />,
    text: ({ updated_at }) => updated_at,
  },
]

function Unknown(): ReactElement {
  return <span title="Not known yet: it is counted when all files of this storage are listed.">–</span>
}

/** Returns where the bytes of a fileset are, in a few words. */
export function locationOf(storage: StorageConfiguration): string {
  if (storage.type === "hub") {
    return `hub ${storage.repo_id}@${(storage.original_revision ?? storage.revision ?? "main").slice(0, 12)}`
  }
  if (storage.type === "catalog") {
    const path = [storage.org, storage.team, storage.target].filter((part) => part !== "").join("/")
    return `catalog ${path}:${storage.version ?? "latest"}`
  }
  return storage.type === "objstore" ? `objstore s3://${storage.bucket}/${storage.prefix ?? ""}` : "local"
}
