import type { Baseline } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { SelectField } from "../../../components/fields/select-field.tsx"
import { TextField } from "../../../components/fields/text-field.tsx"
import { Folded } from "../../../components/folded.tsx"
import { Loading } from "../../../components/loading.tsx"
import { Time } from "../../../components/times/time.tsx"
import { choiceOfJob, nameOfJob } from "../jobs/job-names.ts"

const NO_BASELINE: { readonly name?: string } = {}

/** Shows the baselines of a workspace, each with the jobs that it pointed to. */
export function BaselinesTab({ workspace }: { readonly workspace: string }): ReactElement {
  const client = useClient()
  const mayEdit = useRights().mayEdit(workspace)
  const { data, error } = useQuery({
    queryKey: ["jobs", "baselines", workspace],
    queryFn: ({ signal }) => client.evaluation.baselines.list(workspace, { signal }),
  })
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return <Loading />
  return (
    <>
      {mayEdit ? (
        <p className="actions">
          <SetBaseline workspace={workspace} label="New baseline" baseline={NO_BASELINE} />
        </p>
      ) : null}
      {data.data.length === 0 ? (
        <EmptyState title="There is no baseline yet" command={`assay baseline set ${workspace}/main JOB`}>
          <p>
            A baseline is a name for the results that later jobs have to keep up with, such as those of the main branch.
          </p>
        </EmptyState>
      ) : null}
      <div className="columns baselines">
        {data.data.map((baseline) => (
          <BaselineCard key={baseline.name} baseline={baseline} mayEdit={mayEdit} />
        ))}
      </div>
    </>
  )
}

interface BaselineCardProps {
  readonly baseline: Baseline
  readonly mayEdit: boolean
}

function BaselineCard({ baseline, mayEdit }: BaselineCardProps): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const { namespace: workspace, name, job, history, updated_at } = baseline
  const remove = async () => {
    await client.evaluation.baselines.remove(workspace, name)
    await queries.invalidateQueries({ queryKey: ["jobs", "baselines"] })
  }
  return (
    <article className="card" aria-label={name}>
      <h2 dir="auto">{name}</h2>
      <p>
        <JobLink id={job} />, set <Time at={updated_at} />
      </p>
      {history.length < 2 ? null : (
        <Folded title={`History: ${history.length} jobs`}>
          {() => (
            <ol className="history">
              {history.map(({ job: one, at, by }) => (
                <li key={at}>
                  <JobLink id={one} /> <Time at={at} /> by <span dir="auto">{by}</span>
                </li>
              ))}
            </ol>
          )}
        </Folded>
      )}
      <p className="actions">
        <Link to="/trends" search={{ workspace, baseline: name }} className="button">
          Over time
        </Link>
        {mayEdit ? (
          <>
            <SetBaseline workspace={workspace} label="Move" baseline={baseline} />
            <ConfirmButton label="Delete" title={`Delete the baseline “${name}”?`} onConfirm={remove}>
              <p>Its jobs stay. Gates and policies that name it can't decide any more.</p>
            </ConfirmButton>
          </>
        ) : null}
      </p>
    </article>
  )
}

/** Names a job, or shows its id if it was deleted. */
function JobLink({ id }: { readonly id: string }): ReactElement {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ["jobs", id],
    queryFn: ({ signal }) => client.evaluation.jobs.get(id, { signal }),
    retry: false,
  })
  return (
    <Link to="/jobs/$id" params={{ id }} title={id} dir="auto">
      {data === undefined ? id : nameOfJob(data)}
    </Link>
  )
}

/** Jobs that are offered. The page of any other job can make it a baseline. */
const OFFERED = 200

interface JobChoiceProps {
  readonly workspace: string
  readonly value: string
  readonly onChange: (id: string) => void
}

/** Offers the newest completed jobs of a workspace. */
function JobChoice({ workspace, value, onChange }: JobChoiceProps): ReactElement {
  const { jobs } = useClient().evaluation
  const filter = { status: "COMPLETED", namespace: workspace } as const
  const { data, error } = useQuery({
    queryKey: ["jobs", "completed", workspace],
    queryFn: ({ signal }) => jobs.page({ page_size: OFFERED, filter }, { signal }),
  })
  if (error !== null) return <ErrorCard error={error} />
  const offered = (data?.data ?? []).map((job) => [job.id, choiceOfJob(job)] as const)
  return <SelectField label="Job" choices={[["", "choose a job …"], ...offered]} value={value} onChange={onChange} />
}

interface SetBaselineProps {
  readonly workspace: string
  readonly label: string
  readonly baseline: { readonly name?: string; readonly job?: string }
}

function SetBaseline({ workspace, label, baseline }: SetBaselineProps): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState("")
  const [job, setJob] = useState("")
  const send = async () => {
    await client.evaluation.baselines.set(workspace, baseline.name ?? name.trim(), job)
    await queries.invalidateQueries({ queryKey: ["jobs", "baselines"] })
  }
  return (
    <FormDialog
      help="guides/baselines"
      label={label}
      title={baseline.name === undefined ? "New baseline" : `Move “${baseline.name}” to another job`}
      send="Save"
      isReady={job !== "" && (baseline.name ?? name.trim()) !== ""}
      onOpen={() => setJob("")}
      onSend={send}
    >
      {baseline.name === undefined ? <TextField label="Name" value={name} onChange={setName} /> : null}
      <JobChoice workspace={workspace} value={job} onChange={setJob} />
    </FormDialog>
  )
}
