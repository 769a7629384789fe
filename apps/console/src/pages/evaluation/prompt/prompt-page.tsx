import { estimatedRequests, formatCost, formatCount } from "@assay/reports"
import { useNavigate } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { keepDraft } from "../../../api/drafts.ts"
import { useAuthor, useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSettled } from "../../../components/use-settled.ts"
import { CheckFields } from "../launch/form/check-fields.tsx"
import { FileFormContext, valueAt } from "../launch/form/file-form.ts"
import { ModelFields } from "../launch/form/model-fields.tsx"
import { RowFields } from "../launch/form/row-fields.tsx"
import { usePlans } from "../launch/plan/use-plans.ts"
import { useFileHelp } from "../launch/use-file-help.ts"
import { useLaunchFile, type WrittenFile } from "../launch/use-launch-file.ts"
import { cellsOfFile, MAX_TRIED, type TriedFile } from "./cells-of-file.ts"
import { TriesTable } from "./tries-table.tsx"
import { useDrawnRows, type DrawnRows } from "./use-drawn-rows.ts"
import { useTries } from "./use-tries.ts"
import "../launch/launch.css"
import "./prompt.css"

/** Tries a prompt on ten rows, if the user may ask models anywhere. */
export function PromptPage(): ReactElement {
  const { mayEdit } = useRights()
  if (mayEdit()) return <Prompt />
  return (
    <>
      <PageHeader title="Prompt" />
      <NotAllowed needs="editor">A try asks models and uses secrets.</NotAllowed>
    </>
  )
}

/** Milliseconds after the last key before a change is read. */
const SETTLED_MS = 400

/** Tries a prompt with several models side by side on ten rows that are drawn, before it becomes an evaluation. */
function Prompt(): ReactElement {
  const navigate = useNavigate()
  const by = useAuthor()
  const written = useLaunchFile("prompt")
  const { text, value, tools, startOver } = written
  const help = useFileHelp(value, tools)
  const drawn = useDrawnRows(valueAt(value, ["data"]), help.dataset)
  const { tries, run, stop } = useTries()
  const settled = useSettled(value, SETTLED_MS)
  const file = cellsOfFile(settled, tools)
  const save = async () => {
    keepDraft("launch.prompt", { text, at: Date.now(), by })
    await navigate({ to: "/launch", search: { draft: "prompt" } })
  }
  return (
    <>
      <PageHeader
        help="reference/evaluation-file"
        title="Prompt"
        actions={
          <>
            <button type="button" onClick={startOver}>
              Start over
            </button>
            <button type="button" disabled={text === ""} onClick={() => void save()}>
              Save as evaluation
            </button>
          </>
        }
      >
        One prompt, models side by side, on ten rows that are drawn. Nothing is stored.
      </PageHeader>
      <div className="launch prompt">
        <PromptForm written={written} help={help} onSave={() => void save()} />
        <section>
          <RunBar
            file={file}
            drawn={drawn}
            isRunning={tries.isRunning}
            onStop={stop}
            onRun={() => void run(file.models, drawn.rows)}
          />
          {drawn.error === null ? null : <ErrorCard error={drawn.error} />}
          {tries.models.length === 0 ? (
            <EmptyState title="No answers yet">
              <p>Choose rows, a prompt and one or several models. A check scores each answer.</p>
            </EmptyState>
          ) : (
            <TriesTable tries={tries} />
          )}
        </section>
      </div>
    </>
  )
}

interface PromptFormProps {
  readonly written: WrittenFile
  readonly help: ReturnType<typeof useFileHelp>
  /** Called for what only the file can say. */
  readonly onSave: () => void
}

/** Renders the rows, the prompt, the models and the checks of a file. */
function PromptForm({ written: { value, edit, tools }, help, onSave }: PromptFormProps): ReactElement {
  const { dataset, names, checkSchema, workspace } = help
  return (
    <FileFormContext value={{ value, edit, show: onSave, names }}>
      <form className="card launch-form" aria-label="Prompt and models" onSubmit={(event) => event.preventDefault()}>
        <fieldset className="all" disabled={tools === undefined}>
          <RowFields dataset={dataset} isTried />
          <ModelFields workspace={workspace} />
          <CheckFields schema={checkSchema} isTried />
        </fieldset>
      </form>
    </FileFormContext>
  )
}

interface RunBarProps {
  readonly file: TriedFile
  readonly drawn: DrawnRows
  readonly isRunning: boolean
  readonly onRun: () => void
  readonly onStop: () => void
}

/** Says how many requests a try sends, before it sends them, and begins or stops it. */
function RunBar({ file: { models, faults }, drawn, isRunning, onRun, onStop }: RunBarProps): ReactElement {
  const [first] = drawn.rows
  const bodies = first === undefined ? [] : models.map(({ bodyOf }) => ({ body: bodyOf(first.row) }))
  const plans = usePlans(bodies, bodies.length > 0)
  const each = plans.map(({ outcome }) => (outcome === undefined ? null : estimatedRequests(outcome.estimate)))
  const requests = each.reduce<number | null>(
    (sum, one) => (sum === null || one === null ? null : sum + one * drawn.rows.length),
    0,
  )
  const costs = plans.map(({ outcome }) => outcome?.estimate.cost ?? null)
  const cost = costs.includes(null) ? null : costs.reduce<number>((sum, one) => sum + (one ?? 0) * drawn.rows.length, 0)
  const currency = plans[0]?.outcome?.estimate.currency ?? null
  const failed = plans.flatMap(({ outcome }) => outcome?.failed_checks ?? [])
  const isReady = models.length > 0 && drawn.rows.length > 0
  return (
    <div className="card run-bar" role="region" aria-label="Try">
      <p className="actions">
        {isRunning ? (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="button" className="primary" disabled={!isReady} onClick={onRun}>
            {isReady
              ? `Ask ${formatCount(models.length, "model")} about ${formatCount(drawn.rows.length, "row")}`
              : "Ask"}
          </button>
        )}
        <button type="button" disabled={drawn.rows.length === 0 || isRunning} onClick={drawn.again}>
          Draw other rows
        </button>
        {isReady ? (
          <span className="soft" role="status">
            {requests === null
              ? "The number of requests is being counted."
              : `Sends ${formatCount(requests, "request")}, those of judges among them${cost === null || currency === null ? "; their cost is not known." : `, for about ${formatCost(cost, currency)}.`}`}
          </span>
        ) : null}
      </p>
      {models.length === MAX_TRIED ? <p className="soft">At most {MAX_TRIED} models are tried side by side.</p> : null}
      {[...new Set([...faults.map(({ text }) => text), ...failed.map(({ message }) => message)])].map((message) => (
        <p key={message} className="soft" dir="auto">
          {message}
        </p>
      ))}
    </div>
  )
}
