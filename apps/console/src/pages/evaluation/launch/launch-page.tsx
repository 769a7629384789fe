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
import { useSearchValue } from "../../../components/use-search-value.ts"
import { FileFormContext } from "./form/file-form.ts"
import { LaunchForm } from "./form/launch-form.tsx"
import { LaunchActions } from "./plan/launch-actions.tsx"
import { PlanCard } from "./plan/plan-card.tsx"
import { usePlans } from "./plan/use-plans.ts"
import { useFileHelp } from "./use-file-help.ts"
import { useLaunchFile } from "./use-launch-file.ts"
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
  const { mayEdit } = useRights()
  const written = useLaunchFile()
  const { text, file, settled, from, edit } = written
  const [as, setAs] = useSearchValue("as")
  const view = as === "file" ? "file" : "form"
  const editor = useRef<EditorHandle>(null)
  const [run, setRun] = useState(0)
  const { dataset, names, complete, checkSchema, workspace } = useFileHelp(written.value)
  const plans = usePlans(settled.jobs, mayEdit(settled.jobs[0]?.body.namespace ?? "default"))
  const select = (line: number) => {
    setAs("file")
    editor.current?.select(line)
  }
  const linkToLine = (line: number) => (
    <button type="button" className="quiet line" onClick={() => select(line)}>
      line {line}
    </button>
  )
  const linkTo = (location: string) => {
    const line = settled.lineOf(location)
    return line === undefined ? null : linkToLine(line)
  }
  const show = (path: readonly (string | number)[]) => {
    const line = lineOfPath(text, path)
    if (line !== undefined) select(line)
  }
  return (
    <>
      <PageHeader title="Launch">
        {from === undefined ? "An evaluation of a model, or of answers that the rows have already." : `The file of ${from}, to change.`}
        <DraftNote written={written} onStartOver={() => setRun(run + 1)} />
      </PageHeader>
      {written.error === null ? null : <ErrorCard error={written.error} />}
      <ChoiceButtons label="Written as" choices={VIEWS} chosen={view} onChoose={setAs} />
      {written.isLoading ? (
        <Loading />
      ) : (
        <div className="launch" data-view={view}>
          <div className="launch-fields">
            <FileFormContext value={{ value: written.value, edit, show, names }}>
              <LaunchForm
                key={run}
                workspace={workspace}
                dataset={dataset}
                checkSchema={checkSchema}
                isReadable={file.value !== undefined}
              />
            </FileFormContext>
          </div>
          <div className="launch-side">
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
          <div className="launch-plan">
            <PlanCard file={settled} plans={plans} linkTo={linkTo} linkToLine={linkToLine} />
            <LaunchActions
              // What was checked and launched is about the file as it was: a change removes it.
              key={text}
              jobs={file.jobs}
              text={text}
              linkTo={linkTo}
              onLaunched={written.forget}
            />
          </div>
          </div>
        </div>
      )}
    </>
  )
}

interface DraftNoteProps {
  readonly written: ReturnType<typeof useLaunchFile>
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
