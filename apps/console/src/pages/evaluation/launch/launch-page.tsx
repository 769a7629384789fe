import { isObject, type LaunchBody, type LaunchCheckProgress } from "@assay/schemas"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { CopyButton } from "../../../components/copy-button.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { JsonField, readJson } from "../../../components/fields/json-field.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { FailedChecks } from "../../../components/failures/failed-checks.tsx"
import { LaunchChecks, withReport } from "./launch-checks.tsx"
import { FIRST_FORM, bodyOfForm, type LaunchForm } from "./launch-form.ts"
import { LaunchFormFields } from "./launch-form-fields.tsx"
import { LaunchEstimate } from "./launch-estimate.tsx"
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

/** Launches a job from a form or from the JSON of its definition. The server checks everything before it begins. */
function Launch(): ReactElement {
  const { mayEdit } = useRights()
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()
  const [from] = useSearchValue("from")
  const [form, setForm] = useState<LaunchForm>(FIRST_FORM)
  const [text, setText] = useState(() => JSON.stringify(bodyOfForm(FIRST_FORM), null, 2))
  const template = useQuery({
    queryKey: ["jobs", from],
    queryFn: ({ signal }) => client.evaluation.jobs.get(from ?? "", { signal }),
    enabled: from !== undefined,
  })
  useEffect(() => {
    if (template.data === undefined) return
    const { namespace, description, target, config } = template.data
    setText(JSON.stringify({ namespace, description, target, config }, null, 2))
  }, [template.data])
  const { value, fault } = readJson(text)
  const body = value as LaunchBody
  const home = isObject(value) && typeof value["namespace"] === "string" ? value["namespace"] : "default"
  const isAllowed = mayEdit(home)
  const launch = useMutation({
    mutationFn: () => client.evaluation.jobs.launch(body),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["jobs"] })
      await navigate({ to: "/jobs/$id", params: { id } })
    },
  })
  const [checks, setChecks] = useState<readonly LaunchCheckProgress[]>([])
  const check = useMutation({
    mutationFn: async () => {
      setChecks([])
      return client.evaluation.jobs.check(body, { onCheck: (report) => setChecks((all) => withReport(all, report)) })
    },
  })
  const save = useMutation({
    mutationFn: async () => {
      if (typeof body.config === "string") return
      await client.evaluation.configs.create({ ...body.config, namespace: body.namespace ?? "default" })
    },
    onSuccess: () => notify("Saved the configuration"),
  })
  const change = (next: LaunchForm) => {
    setForm(next)
    setText(JSON.stringify(bodyOfForm(next), null, 2))
    launch.reset()
    check.reset()
    setChecks([])
  }
  return (
    <>
      <PageHeader title="Launch">
        {from === undefined
          ? "An evaluation of a model or of outputs that are there already."
          : `The definition of ${from}, to change.`}
      </PageHeader>
      <div className="columns">
        {from === undefined ? <LaunchFormFields form={form} onChange={change} /> : null}
        <section>
          <JsonField
            label="Definition"
            hint="What is sent. Change anything: docs/evaluation.md lists all fields."
            value={text}
            onChange={(next) => {
              setText(next)
              launch.reset()
              check.reset()
              setChecks([])
            }}
            rows={24}
          />
          {fault === undefined ? <LaunchEstimate body={body} /> : null}
          {template.error === null ? null : <ErrorCard error={template.error} />}
          {checks.length === 0 ? null : <LaunchChecks checks={checks} outcome={check.data} />}
          {check.error === null ? null : <ErrorCard error={check.error} />}
          {launch.error === null ? null : <FailedChecks error={launch.error} />}
          {save.error === null ? null : <ErrorCard error={save.error} />}
          {isAllowed ? null : (
            <NotAllowed needs="editor" workspace={home}>
              The definition names it as <code>namespace</code>.
            </NotAllowed>
          )}
          <p className="actions">
            <button
              type="button"
              className="primary"
              disabled={fault !== undefined || !isAllowed || launch.isPending}
              onClick={() => launch.mutate()}
            >
              {launch.isPending ? "Launching …" : "Check and launch"}
            </button>
            <button
              type="button"
              disabled={fault !== undefined || !isAllowed || check.isPending}
              onClick={() => check.mutate()}
            >
              Only check
            </button>
            <button
              type="button"
              disabled={fault !== undefined || !isAllowed || save.isPending}
              onClick={() => save.mutate()}
            >
              Save the configuration
            </button>
            <CopyButton
              label="Copy as command"
              what="to launch this job"
              text={() => `cat > job.json <<'JSON'\n${text}\nJSON\nassay eval launch job.json\n`}
            />
          </p>
        </section>
      </div>
    </>
  )
}
