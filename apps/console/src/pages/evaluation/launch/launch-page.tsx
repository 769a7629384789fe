import { useState, useRef, type ReactElement } from "react"
import { useRights } from "../../../api/use-session.ts"
import { ChoiceButtons } from "../../../components/choice-buttons.tsx"
import type { EditorHandle } from "../../../components/code-editor/code-editor.tsx"
import { CodeEditor } from "../../../components/code-editor/code-editor.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useFittedHeight } from "../../../components/use-fitted-height.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import type { FilePath } from "./file/edit-file.ts"
import { FileFormContext } from "./form/file-form.ts"
import { LaunchForm } from "./form/launch-form.tsx"
import { LaunchActions } from "./plan/launch-actions.tsx"
import { PlanCard, type PlanCardProps } from "./plan/plan-card.tsx"
import { usePlans } from "./plan/use-plans.ts"
import { useFileHelp } from "./use-file-help.ts"
import { useLaunchFile, type WrittenFile } from "./use-launch-file.ts"
import "./launch.css"

/** Launches jobs, if the user may do so anywhere. */
export function LaunchPage(): ReactElement {
  const { mayEdit } = useRights()
  const [from] = useSearchValue("from")
  const [data] = useSearchValue("data")
  const [draft] = useSearchValue("draft")
  if (mayEdit()) return <Launch key={`${from} ${data} ${draft}`} />
  return (
    <>
      <PageHeader title="Launch" />
      <NotAllowed needs="editor">A job writes records and uses secrets.</NotAllowed>
    </>
  )
}

const VIEWS = { form: "Form", file: "File" } as const

/** Launches the jobs of an evaluation file, which is written as text and in a form at once. */
function Launch(): ReactElement {
  const written = useLaunchFile("launch")
  const { from, fromName = from, error, isLoading } = written
  const [as, setAs] = useSearchValue("as")
  const view = as === "file" ? "file" : "form"
  const [run, setRun] = useState(0)
  return (
    <>
      <PageHeader help="reference/evaluation-file" title="Launch">
        {from === undefined
          ? "An evaluation of a model, or of answers that the rows have already."
          : `The file of ${fromName}, to change.`}
        <DraftNote written={written} onStartOver={() => setRun(run + 1)} />
      </PageHeader>
      {error === null ? null : <ErrorCard error={error} />}
      <ChoiceButtons label="Written as" choices={VIEWS} chosen={view} onChoose={setAs} />
      {isLoading ? <Loading /> : <LaunchParts written={written} view={view} run={run} onShow={() => setAs("file")} />}
    </>
  )
}

interface LaunchPartsProps {
  readonly written: WrittenFile
  readonly view: keyof typeof VIEWS
  /** How often the user has started over: the form begins again. */
  readonly run: number
  /** Called before a line of the text is shown. */
  readonly onShow: () => void
}

/** Renders the form, the text and the plan of a file. */
function LaunchParts({ written, view, run, onShow }: LaunchPartsProps): ReactElement {
  const { mayEdit } = useRights()
  const { text, file, settled, edit } = written
  const editor = useRef<EditorHandle>(null)
  const side = useRef<HTMLDivElement>(null)
  useFittedHeight(side)
  const { dataset, names, complete, checkSchema, workspace } = useFileHelp(written.value, written.tools)
  const plans = usePlans(settled.jobs, mayEdit(settled.jobs[0]?.body.namespace ?? "default"))
  const select = (line: number | undefined) => {
    if (line === undefined) return
    onShow()
    editor.current?.select(line)
  }
  const linkToLine = (line: number) => (
    <button type="button" className="quiet line" onClick={() => select(line)}>
      line {line}
    </button>
  )
  const form = { value: written.value, edit, show: (path: FilePath) => select(lineOfPath(text, path)), names }
  const fields = {
    workspace,
    dataset,
    checkSchema,
    isReadable: file.value !== undefined,
    isReady: written.tools !== undefined,
  }
  return (
    <div className="launch" data-view={view}>
      <div className="launch-fields">
        <FileFormContext value={form}>
          <LaunchForm key={run} {...fields} />
        </FileFormContext>
      </div>
      <div className="launch-side" ref={side}>
        <div className="launch-text">
          <CodeEditor
            label="Evaluation file"
            text={text}
            onChange={written.setText}
            faults={settled.faults}
            complete={complete}
            handle={editor}
          />
        </div>
        <LaunchPlan written={written} plans={plans} linkToLine={linkToLine} />
      </div>
    </div>
  )
}

interface LaunchPlanProps extends Pick<PlanCardProps, "plans" | "linkToLine"> {
  readonly written: WrittenFile
}

/** Renders the plan of a file, and below it what its buttons find. Both scroll together above the buttons. */
function LaunchPlan({ written, plans, linkToLine }: LaunchPlanProps): ReactElement {
  const { text, file, settled, forget } = written
  const [found, setFound] = useState<HTMLElement | null>(null)
  const linkTo = (location: string) => {
    const line = settled.lineOf(location)
    return line === undefined ? null : linkToLine(line)
  }
  return (
    <div className="launch-plan">
      <div className="launch-found">
        <PlanCard file={settled} plans={plans} linkTo={linkTo} linkToLine={linkToLine} />
        <div ref={setFound} />
      </div>
      {/* Results of checks and launches belong to the file as it was, so a change removes them. */}
      <LaunchActions key={text} jobs={file.jobs} text={text} found={found} linkTo={linkTo} onLaunched={forget} />
    </div>
  )
}

interface DraftNoteProps {
  readonly written: WrittenFile
  readonly onStartOver: () => void
}

/** Says that a draft is shown, and offers to drop it. */
function DraftNote({ written: { text, draftAt, startOver }, onStartOver }: DraftNoteProps): ReactElement | null {
  if (text === "") return null
  return (
    <span>
      {draftAt === undefined ? null : (
        <>
          Your draft, changed <Time at={new Date(draftAt).toISOString()} />.{" "}
        </>
      )}
      <button
        type="button"
        className="quiet"
        onClick={() => {
          startOver()
          onStartOver()
        }}
      >
        Start over
      </button>
    </span>
  )
}

/** Returns the line of the key at the beginning of a path. */
function lineOfPath(text: string, [key]: readonly (string | number)[]): number | undefined {
  const line = text.split("\n").findIndex((one) => one.startsWith(`${key}:`))
  return line === -1 ? undefined : line + 1
}
