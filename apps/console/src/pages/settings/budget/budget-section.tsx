import type { BudgetLimits, WorkspaceBudget } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { TextField } from "../../../components/fields/text-field.tsx"
import { ProgressBar } from "../../../components/progress-bar.tsx"
import { Time } from "../../../components/times/time.tsx"
import { limitsInUse } from "./budget-text.ts"

/** Shows the budget of a workspace with what was used of it, and lets admins change it. */
export function BudgetSection({ workspace }: { readonly workspace: string }): ReactElement | null {
  const { budgets } = useClient()
  const { mayAdmin } = useRights()
  const { data, error } = useQuery({
    queryKey: ["budgets", workspace],
    queryFn: ({ signal }) => budgets.get(workspace, { signal }),
  })
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return null
  const limits = limitsInUse(data)
  return (
    <section aria-label="Budget">
      <h3>Budget of each month</h3>
      {limits.length === 0 ? (
        <p className="soft">No limit: jobs of this workspace may use as much as they ask for.</p>
      ) : null}
      {limits.map(({ name, used, limit, share }) => (
        <div key={name} className="limit">
          <span>
            {used} of {limit} {name}
          </span>
          <ProgressBar label={`Used of the limit of ${name}`} percent={Math.min(100, 100 * share)} />
        </div>
      ))}
      {limits.length === 0 ? null : (
        <p className="soft">
          {data.exhausted === null ? "" : "It is used up: launches are refused. "}It begins again{" "}
          <Time at={data.resets_at} />.
        </p>
      )}
      {data.warning === undefined ? null : <p role="alert">{data.warning}</p>}
      {mayAdmin(workspace) ? <BudgetActions budget={data} /> : null}
    </section>
  )
}

const FIELDS = { max_requests: "Requests", max_tokens: "Tokens", max_cost: "Cost" } as const
type Field = keyof typeof FIELDS

function BudgetActions({ budget }: { readonly budget: WorkspaceBudget }): ReactElement {
  const { budgets } = useClient()
  const queries = useQueryClient()
  const { workspace, limits } = budget
  const [texts, setTexts] = useState<Readonly<Partial<Record<Field, string>>>>({})
  const given = Object.entries(texts).filter(([, text]) => text.trim() !== "")
  const isReady = given.length > 0 && given.every(([, text]) => Number.isFinite(Number(text)))
  const hasLimits = Object.keys(limits).length > 0
  const refresh = () => queries.invalidateQueries({ queryKey: ["budgets"] })
  return (
    <p className="actions">
      <FormDialog
        help="guides/evaluation#the-budget-of-a-workspace"
        label={hasLimits ? "Change the budget" : "Set a budget"}
        title={`Budget of ${workspace}`}
        send="Save"
        isReady={isReady}
        onOpen={() =>
          setTexts(Object.fromEntries((Object.keys(FIELDS) as Field[]).map((key) => [key, String(limits[key] ?? "")])))
        }
        onSend={async () => {
          await budgets.set(
            workspace,
            Object.fromEntries(given.map(([key, text]) => [key, Number(text)])) as BudgetLimits,
          )
          await refresh()
        }}
      >
        <p>
          A job that reaches a limit keeps what it has and ends. Launches are refused until the next month. Empty: no
          limit.
        </p>
        {(Object.keys(FIELDS) as Field[]).map((key) => (
          <TextField
            key={key}
            label={FIELDS[key]}
            sentAs={key}
            inputMode="decimal"
            value={texts[key] ?? ""}
            onChange={(text) => setTexts((all) => ({ ...all, [key]: text }))}
            {...(key === "max_cost" ? { hint: "In the currency of the server's price table" } : {})}
          />
        ))}
      </FormDialog>
      {hasLimits ? (
        <ConfirmButton
          label="Remove the budget"
          title={`Remove the budget of ${workspace}?`}
          onConfirm={async () => {
            await budgets.remove(workspace)
            await refresh()
          }}
        >
          <p>Its jobs are no longer limited. Their use stays recorded.</p>
        </ConfirmButton>
      ) : null}
    </p>
  )
}
