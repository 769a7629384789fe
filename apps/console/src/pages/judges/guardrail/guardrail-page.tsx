import type { GuardrailConfiguration } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Menu } from "../../../components/menu.tsx"
import { Loading } from "../../../components/loading.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Tabs } from "../../../components/tabs.tsx"
import { Time } from "../../../components/times/time.tsx"
import { WithCode } from "../../../components/with-code.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { BaseUrl } from "./base-url.tsx"
import { ConfigurationEditor } from "./configuration-editor.tsx"
import { Playground } from "./playground.tsx"
import { SavedPrompts } from "./saved-prompts.tsx"
import "./guardrail.css"

const TABS = { playground: "Playground", prompts: "Saved prompts", configuration: "Configuration" } as const
type Tab = keyof typeof TABS
/** The workspace of configurations that can't be changed. */
const BUILT_IN = "system"

/** Shows one guardrail: a playground that sends it messages, and its configuration. */
export function GuardrailPage(): ReactElement {
  const { workspace, name } = useParams({ strict: false })
  const client = useClient()
  const { mayAdmin } = useRights()
  const [tab] = useSearchValue("tab")
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["guardrails", "one", workspace, name],
    queryFn: ({ signal }) => client.guardrails.get(workspace, name, { signal }),
  })
  const current: Tab = tab !== undefined && Object.hasOwn(TABS, tab) ? (tab as Tab) : "playground"
  const isReadOnly = workspace === BUILT_IN || !mayAdmin(workspace)
  return (
    <>
      <PageHeader
        help="guides/guardrails"
        title={name}
        above={
          <Link to="/guardrails" search={{ workspace }}>
            Guardrails of {workspace}
          </Link>
        }
        actions={
          data === undefined || isReadOnly ? null : (
            <Menu label="More">
              <DeleteGuardrail configuration={data} />
            </Menu>
          )
        }
      >
        {data === undefined ? null : <GuardrailFacts configuration={data} />}
      </PageHeader>
      {error === null ? null : <ErrorCard error={error} again={() => void refetch()} />}
      {isPending && error === null ? <Loading /> : null}
      {data === undefined ? null : (
        <>
          {workspace === BUILT_IN ? null : <BaseUrl configuration={data} />}
          <Tabs label="Parts of the guardrail" tabs={TABS} current={current} />
          {current === "playground" ? <Playground configuration={data} /> : null}
          {current === "prompts" ? <SavedPrompts configuration={data} /> : null}
          {current === "configuration" ? <ConfigurationEditor configuration={data} isReadOnly={isReadOnly} /> : null}
        </>
      )}
    </>
  )
}

interface ConfigurationProps {
  readonly configuration: GuardrailConfiguration
}

function GuardrailFacts({ configuration }: ConfigurationProps): ReactElement {
  const { workspace, description, updated_at } = configuration
  return (
    <>
      {description === "" ? null : (
        <span dir="auto">
          <WithCode text={description} />
        </span>
      )}
      {workspace === BUILT_IN ? (
        <span>built in</span>
      ) : (
        <span>
          updated <Time at={updated_at} />
        </span>
      )}
    </>
  )
}

/** Renders the button that deletes a guardrail after a question. The notice can undo it. */
function DeleteGuardrail({ configuration: { workspace, name } }: ConfigurationProps): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()
  const remove = async () => {
    const { description, project, data } = await client.guardrails.remove(workspace, name)
    await queries.invalidateQueries({ queryKey: ["guardrails"] })
    notify(`Deleted the guardrail ${name}.`, () => {
      void client.guardrails
        .create(workspace, { name, description, project, data })
        .then(() => queries.invalidateQueries({ queryKey: ["guardrails"] }))
    })
    await navigate({ to: "/guardrails", search: { workspace } })
  }
  return (
    <ConfirmButton label="Delete" title={`Delete the guardrail ${name}?`} onConfirm={remove}>
      <p>Requests that name it will fail.</p>
    </ConfirmButton>
  )
}
