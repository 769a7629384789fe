import type { CheckAnswer, GuardrailConfiguration } from "@assay/schemas"
import { useMutation, type UseMutationResult } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { CheckedRails } from "./checked-rails.tsx"
import { askingWorkspace, checkRequest, type SentMessage } from "./check-request.ts"
import { MissingModels, openModels, type GivenModels } from "./missing-models.tsx"

/** Sends a message through the rails of a guardrail and shows what each judge was asked, what it said, and what was decided. */
export function Playground({ configuration }: { readonly configuration: GuardrailConfiguration }): ReactElement {
  const { mayEdit } = useRights()
  const asks = askingWorkspace(configuration)
  const [message, setMessage] = useState("")
  const [answer, setAnswer] = useState("")
  const [given, setGiven] = useState<GivenModels>({})
  const check = useCheck(configuration)
  const { rails } = configuration.data
  return (
    <div className="columns">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault()
          check.mutate({ message, answer, given })
        }}
      >
        <label className="field">
          Message of the user
          <textarea value={message} rows={5} required dir="auto" onChange={({ target }) => setMessage(target.value)} />
        </label>
        {(rails?.output?.flows ?? []).length === 0 ? null : (
          <label className="field">
            Answer of the model
            <textarea value={answer} rows={3} dir="auto" onChange={({ target }) => setAnswer(target.value)} />
            <small className="soft">
              Optional. The output rails judge it if the input rails do not block the message.
            </small>
          </label>
        )}
        <MissingModels types={openModels(configuration)} given={given} onChange={setGiven} />
        <p className="actions">
          <button type="submit" className="primary" disabled={check.isPending || !mayEdit(asks)}>
            Check
          </button>
          {mayEdit(asks) ? null : <span className="soft">Asking a judge needs the role editor in {asks}.</span>}
        </p>
      </form>
      <CheckShown configuration={configuration} check={check} />
    </div>
  )
}

/** Asks the judges of a guardrail about a message. */
function useCheck(configuration: GuardrailConfiguration): UseMutationResult<CheckAnswer, Error, SentMessage> {
  const client = useClient()
  return useMutation({
    mutationFn: (sent) => client.guardrails.check(askingWorkspace(configuration), checkRequest(configuration, sent)),
  })
}

interface CheckShownProps {
  readonly configuration: GuardrailConfiguration
  readonly check: Pick<UseMutationResult<CheckAnswer>, "data" | "error" | "isPending">
}

/** Renders what the judges said, or what is shown until a message was sent. */
function CheckShown({ configuration, check: { data, error, isPending } }: CheckShownProps): ReactElement {
  return (
    <div className="checked" aria-live="polite">
      {isPending ? <Loading what="Asking the judges" /> : null}
      {error === null || isPending ? null : <ErrorCard error={error} />}
      {data === undefined || isPending ? null : <CheckedRails answer={data} configuration={configuration} />}
      {data === undefined && error === null && !isPending ? (
        <div className="card empty">
          <strong>Send a message</strong>
          Each judge appears here with its prompt, its own words, the verdict and what was decided.
        </div>
      ) : null}
    </div>
  )
}
