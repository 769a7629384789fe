import { formatBytes, formatInteger } from "@assay/reports"
import type { FileDifference, Fileset, FilesetChange, FilesetDiff } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useId, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { refreshFiles } from "../fileset/refresh-files.ts"
import { shortRevision } from "./history-columns.tsx"

/** Differences that are listed. All are counted. */
const SHOWN = 200
const NOW = "main"

export interface RevisionCardProps {
  readonly fileset: Fileset
  readonly revision: string
  readonly changes: readonly FilesetChange[]
  readonly onClose: () => void
}

/** Compares a revision with the present files or with another revision, and restores it after a question. */
export function RevisionCard({ fileset, revision, changes, onClose }: RevisionCardProps): ReactElement {
  const { workspace, name } = fileset
  const client = useClient()
  const { mayEdit } = useRights()
  const [other = NOW, compareWith] = useSearchValue("with")
  const id = useId()
  const { data, error } = useQuery({
    queryKey: ["files", workspace, name, "diff", revision, other],
    queryFn: ({ signal }) =>
      client.history.diff(workspace, name, { from: revision, to: other, limit: SHOWN }, { signal }),
  })
  return (
    <section className="card" aria-label={`Revision ${shortRevision(revision)}`}>
      <header className="actions">
        <h2>
          <code>{shortRevision(revision)}</code>
        </h2>
        <label htmlFor={id}>compared with</label>
        <select
          id={id}
          value={other}
          onChange={({ target }) => compareWith(target.value === NOW ? undefined : target.value)}
        >
          <option value={NOW}>the present files</option>
          {changes
            .filter((change) => change.revision !== revision)
            .map((change) => (
              <option key={change.revision} value={change.revision}>
                {`${shortRevision(change.revision)} ${change.title}`.slice(0, 80)}
              </option>
            ))}
        </select>
        <span className="gap" />
        {mayEdit(workspace) ? <RestoreButton fileset={fileset} revision={revision} /> : null}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      {error === null ? null : <ErrorCard error={error} />}
      {data === undefined ? error === null ? <Loading /> : null : <Differences diff={data} />}
    </section>
  )
}

const WORDS = { added: "added", removed: "removed", changed: "changed" } as const

function Differences({ diff }: { readonly diff: FilesetDiff }): ReactElement {
  const { data, added, removed, changed } = diff
  const total = added + removed + changed
  if (total === 0) return <p className="soft">The files are the same.</p>
  return (
    <>
      <p>
        {formatInteger(added)} added, {formatInteger(removed)} removed, {formatInteger(changed)} changed since this
        revision
      </p>
      <ul aria-label="Differences">
        {data.map((difference) => (
          <li key={difference.path}>
            {WORDS[difference.change]} <code>{difference.path}</code>{" "}
            <span className="soft">{sizesOf(difference)}</span>
          </li>
        ))}
      </ul>
      {total > data.length ? <p className="soft">and {formatInteger(total - data.length)} more</p> : null}
    </>
  )
}

function sizesOf({ from_size, to_size }: FileDifference): string {
  return [from_size, to_size].flatMap((size) => (size === null ? [] : [formatBytes(size)])).join(" → ")
}

/** Renders the button that restores a revision after a question. */
function RestoreButton({ fileset, revision }: Pick<RevisionCardProps, "fileset" | "revision">): ReactElement {
  const { workspace, name } = fileset
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const restore = async () => {
    const done = await client.history.restore(workspace, name, { revision })
    await refreshFiles(queries, workspace, name)
    const { written_count: written, deleted_count: deleted } = done
    notify(
      written + deleted === 0
        ? "The files are the same already"
        : `Restored ${formatInteger(written)} and deleted ${formatInteger(deleted)} files`,
    )
  }
  return (
    <FormDialog
      help="guides/history"
      label="Restore"
      title={`Restore ${workspace}/${name} as of ${shortRevision(revision)}?`}
      send="Restore"
      onSend={restore}
    >
      <p>
        All files become what they were after this change. This is a new change, so it can be undone in the same way. If
        bytes are gone, nothing changes.
      </p>
    </FormDialog>
  )
}
