import { formatInteger, formatCount } from "@assay/reports"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useRef, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { Menu } from "../../../components/menu.tsx"
import { usePageKeys } from "../../../components/use-page-keys.ts"
import { useTableSearch } from "../../../table/table-search.ts"
import { type FileOfRows, useSearchState, type SearchState } from "./use-searched-rows.ts"

export interface IssueToolsProps {
  readonly file: FileOfRows
  readonly isOnlyInvalid: boolean
  /** The kind of issues that is shown: its pointer and its message. */
  readonly issue: string | undefined
}

const INVALID = { invalid: true }

/** Renders how many rows of a file have issues, and what leads to them: the filter, the kinds of issues, and the next row with one. */
export function IssueTools({ file, isOnlyInvalid, issue }: IssueToolsProps): ReactElement | null {
  const navigate = useNavigate()
  const { state } = useSearchState(file, INVALID, true)
  const { next, previous } = useNextIssue(file, isOnlyInvalid)
  usePageKeys({ n: next, N: previous })
  if (state === undefined) return null
  const show = (change: ShownIssues) =>
    void navigate({
      to: ".",
      search: (before: object) => ({ ...before, ...change, at: undefined }),
      resetScroll: false,
    })
  if (state.matched === 0)
    return state.is_complete ? <span className="soft chip">No issues</span> : <Checked {...state} />
  return (
    <>
      <button
        type="button"
        className={isOnlyInvalid ? "chosen" : ""}
        aria-pressed={isOnlyInvalid}
        onClick={() => show({ invalid: isOnlyInvalid ? undefined : "1", issue: undefined })}
      >
        ⚠ {formatCount(state.matched, "invalid row")}
        {state.is_complete ? "" : " so far"}
      </button>
      <KindsMenu kinds={state.kinds} issue={issue} onShow={show} />
      <button type="button" className="quiet" title="Also by n, and N for the one before" onClick={next}>
        Next issue <kbd>n</kbd>
      </button>
      {issue === undefined ? null : (
        <button
          type="button"
          className="quiet chip"
          aria-label={`Remove the filter ${issue}`}
          onClick={() => show({ issue: undefined })}
        >
          <span dir="auto">{issue}</span> ✕
        </button>
      )}
    </>
  )
}

interface ShownIssues {
  readonly invalid?: string | undefined
  readonly issue?: string | undefined
}

interface KindsMenuProps {
  readonly kinds: SearchState["kinds"]
  readonly issue: string | undefined
  readonly onShow: (shown: ShownIssues) => void
}

/** Renders the kinds of issues with their numbers. Each shows its rows. */
function KindsMenu({ kinds, issue, onShow }: KindsMenuProps): ReactElement {
  return (
    <Menu label="Issues">
      <ul className="kinds">
        {kinds.map(({ pointer, message, count }) => {
          const kind = `${pointer} ${message}`
          return (
            <li key={kind}>
              <button
                type="button"
                className="quiet"
                aria-pressed={issue === kind}
                onClick={({ currentTarget }) => {
                  onShow(issue === kind ? { issue: undefined } : { invalid: "1", issue: kind })
                  leaveMenu(currentTarget)
                }}
              >
                <span className="number">{formatInteger(count)}</span> <code>{pointer === "" ? "row" : pointer}</code>{" "}
                <span dir="auto">{message}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </Menu>
  )
}

/** Closes the menu around a button, and goes to the rows, whose keys work at once. */
function leaveMenu(button: HTMLElement): void {
  button.closest("details")?.removeAttribute("open")
  button.closest(".table")?.querySelector<HTMLElement>("[role=grid]")?.focus({ preventScroll: true })
}

function Checked({ progress }: SearchState): ReactElement {
  return (
    <span className="soft chip" role="status">
      Checking rows: {formatInteger(Math.round(100 * progress))} %
    </span>
  )
}

/** Returns what chooses the next and the previous row with an issue: among all rows, or among those that are shown if all have one. */
function useNextIssue({ workspace, name, path = "" }: FileOfRows, isOnlyInvalid: boolean) {
  const client = useClient()
  const [{ at }, update] = useTableSearch()
  // Keys can come faster than answers and the address.
  const latest = useRef(at)
  const working = useRef(Promise.resolve())
  useEffect(() => {
    latest.current = at
  }, [at])
  const choose = (index: number) => {
    latest.current = index
    update({ at: index })
  }
  const search = async (position: { readonly from: number } | { readonly offset: number }) =>
    client.rows.search(workspace, name, { ...INVALID, path, limit: 1, ...position })
  const goForward = async () => {
    const from = (latest.current ?? -1) + 1
    if (isOnlyInvalid) return choose(from)
    const [row] = (await search({ from })).data
    if (row !== undefined) choose(row.row_index)
  }
  const goBack = async () => {
    const index = latest.current ?? 0
    if (isOnlyInvalid) return choose(Math.max(0, index - 1))
    // The row before is at the position before the first row from here on.
    const { offset } = await search({ from: index })
    const [row] = offset === 0 ? [] : (await search({ offset: offset - 1 })).data
    if (row !== undefined) choose(row.row_index)
  }
  const queue = (work: () => Promise<void>) => () => {
    working.current = working.current.then(work).catch(() => undefined)
  }
  return { next: queue(goForward), previous: queue(goBack) }
}
