import type { EvaluationContent, EvaluationJob } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useCallback, useEffect, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ChoiceButtons } from "../../../components/choice-buttons.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { LaunchActions } from "./launch-actions.tsx"
import { LaunchEstimate } from "./launch-estimate.tsx"
import { LaunchFormFields } from "./launch-form-fields.tsx"
import { useLaunchDocument, type LaunchView } from "./use-launch-document.ts"
import { useYamlLines, YamlField } from "./yaml-field.tsx"
import "./launch.css"

/** Launches a job, if the user may do so anywhere. */
export function LaunchPage(): ReactElement {
  const { mayEdit } = useRights()
  if (mayEdit()) return <Launch />
  return (
    <>
      <PageHeader title="Launch" />
      <NotAllowed needs="editor">A job writes records and uses secrets.</NotAllowed>
    </>
  )
}

const VIEWS: Readonly<Record<LaunchView, string>> = { form: "Form", yaml: "YAML" }

/** Launches a job from a form, or from the YAML of an evaluation file. */
function Launch(): ReactElement {
  const client = useClient()
  const [from] = useSearchValue("from")
  const { view, form, text, document, fault, others, setForm, setText, show, open } = useLaunchDocument()
  const lines = useYamlLines()
  const template = useQuery({
    queryKey: ["jobs", from],
    queryFn: ({ signal }) => client.evaluation.jobs.get(from ?? "", { signal }),
    enabled: from !== undefined,
    staleTime: Infinity,
  })
  useEffect(() => {
    if (template.data === undefined) return
    void open(contentOfJob(template.data))
  }, [template.data, open])
  const linkTo = useCallback((location: string) => lines.link(document?.lineOf(location)), [lines, document])
  const shown = view === "yaml" ? text : JSON.stringify(form)
  return (
    <>
      <PageHeader title="Launch">
        {from === undefined
          ? "An evaluation of a model or of outputs that are there already."
          : `The definition of ${from}, to change.`}
      </PageHeader>
      <ChoiceButtons label="Written as" choices={VIEWS} chosen={view} onChoose={(next) => void show(next)} />
      {others.length === 0 ? null : (
        <p role="status">
          The form has no field for <Locations locations={others} />. It would lose this, so the file stays YAML.
        </p>
      )}
      {template.error === null ? null : <ErrorCard error={template.error} />}
      <div className="columns">
        {view === "form" ? (
          <LaunchFormFields form={form} onChange={setForm} />
        ) : (
          <YamlField text={text ?? ""} onChange={setText} fault={fault} field={lines} />
        )}
        <section>
          {document === undefined ? null : <LaunchEstimate body={document.body} />}
          <LaunchActions
            // Checks are about what was checked: a change removes them.
            key={shown}
            document={document}
            text={view === "yaml" ? text : undefined}
            linkTo={linkTo}
          />
        </section>
      </div>
    </>
  )
}

/** Returns the file that launches a job again. Records repeat the workspace of their job. */
function contentOfJob({ namespace, description, target, config }: EvaluationJob): EvaluationContent {
  const own = ({ namespace: inner, ...body }: { readonly namespace?: unknown }) =>
    inner === namespace ? body : { ...body, namespace: inner }
  return {
    namespace,
    ...(description === "" ? {} : { description }),
    target: own(target) as EvaluationJob["target"],
    config: own(config) as EvaluationJob["config"],
  }
}

/** Maximum number of locations that are named. */
const MAX_LOCATIONS = 8

function Locations({ locations }: { readonly locations: readonly string[] }): ReactElement {
  const more = locations.length - MAX_LOCATIONS
  return (
    <>
      {locations.slice(0, MAX_LOCATIONS).map((location, index) => (
        <span key={location}>
          {index === 0 ? "" : ", "}
          <code>{location}</code>
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ""}
    </>
  )
}
