import { formatCount } from "@assay/reports"
import { type GuardrailConfiguration, type GuardrailData, guardrailFault, toGuardrailData } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { readDraft } from "../../../api/drafts.ts"
import { useAuthor, useRights } from "../../../api/use-session.ts"
import { Badge } from "../../../components/badge.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { SelectField } from "../../../components/fields/select-field.tsx"
import { Loading } from "../../../components/loading.tsx"
import { parseDocument } from "../../../documents/document-text.ts"
import { askingWorkspace } from "./check-request.ts"
import { draftOfConfiguration } from "./configuration-draft.ts"
import { MissingModels, openModels, type GivenModels } from "./missing-models.tsx"
import { type Outcome, useRegression } from "./use-regression.ts"
import { MAX_PROMPTS, type SavedPrompt, useSavedPrompts } from "./use-saved-prompts.ts"

/** Tries a guardrail on prompts that are saved with what it has to decide, also with changes that are not saved yet. */
export function SavedPrompts({ configuration }: { readonly configuration: GuardrailConfiguration }): ReactElement {
  const { mayEdit } = useRights()
  const { prompts, error, save, dataset } = useSavedPrompts(configuration)
  const { outcomes, isRunning, run, stop, clear } = useRegression(configuration)
  const [given, setGiven] = useState<GivenModels>({})
  const draft = useDraftData(configuration)
  const [isDraft, setDraft] = useState(true)
  const mayAsk = mayEdit(askingWorkspace(configuration))
  if (error !== null) return <ErrorCard error={error} />
  if (prompts === undefined) return <Loading />
  const data = isDraft ? draft : undefined
  const change = (next: readonly SavedPrompt[]) => {
    clear()
    save.mutate(next)
  }
  return (
    <div className="columns saved-prompts">
      <section>
        {mayAsk && prompts.length < MAX_PROMPTS ? <NewPrompt onAdd={(prompt) => change([...prompts, prompt])} /> : null}
        {save.error === null ? null : <ErrorCard error={save.error} />}
        <MissingModels types={openModels(configuration)} given={given} onChange={setGiven} />
      </section>
      <section>
        {prompts.length === 0 ? (
          <EmptyState title="No saved prompts">
            <p>
              Save prompts that the guardrail must block, and some that it must let pass. Then try every change on all
              of them.
            </p>
          </EmptyState>
        ) : (
          <>
            {draft === undefined ? null : (
              <CheckField isChecked={isDraft} onChange={setDraft}>
                With the changes that are not saved yet
              </CheckField>
            )}
            <TryBar
              count={prompts.length}
              flows={(data ?? configuration.data).rails?.input?.flows?.length ?? 0}
              isRunning={isRunning}
              onRun={mayAsk ? () => void run(prompts, given, data) : undefined}
              onStop={stop}
            />
            <Summary prompts={prompts} outcomes={outcomes} />
            <PromptTable
              prompts={prompts}
              outcomes={outcomes}
              isRunning={isRunning}
              onRemove={mayAsk ? (index) => change(prompts.filter((_, at) => at !== index)) : undefined}
            />
            <p className="soft">
              They are rows of <code>{dataset}</code>, which a calibration can read, too.
            </p>
          </>
        )}
      </section>
    </div>
  )
}

interface TryBarProps {
  /** Number of prompts. */
  readonly count: number
  /** Number of input rails. */
  readonly flows: number
  readonly isRunning: boolean
  /** Undefined: the user may not ask judges. */
  readonly onRun: (() => void) | undefined
  readonly onStop: () => void
}

/** Says how many requests a try sends at most, and begins or stops it. */
function TryBar({ count, flows, isRunning, onRun, onStop }: TryBarProps): ReactElement {
  return (
    <p className="actions">
      {isRunning ? (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button type="button" className="primary" disabled={onRun === undefined} onClick={onRun}>
          Try {formatCount(count, "prompt")}
        </button>
      )}
      <span className="soft">
        Sends at most {formatCount(count * flows, "request")}, one for each input rail and prompt.
      </span>
    </p>
  )
}

/** Returns the configuration that is written in the editor and not saved. Undefined: there is none that can be tried. */
function useDraftData(configuration: GuardrailConfiguration): GuardrailData | undefined {
  const draft = readDraft(draftOfConfiguration(configuration), useAuthor())
  const { data } = useQuery({
    queryKey: ["guardrails", "draft", draft?.text],
    queryFn: async () => {
      const value = await parseDocument(draft?.text ?? "", "yaml").catch(() => undefined)
      return value === undefined || guardrailFault(value) !== undefined ? null : toGuardrailData(value)
    },
    enabled: draft !== undefined,
  })
  return data ?? undefined
}

function NewPrompt({ onAdd }: { readonly onAdd: (prompt: SavedPrompt) => void }): ReactElement {
  const [prompt, setPrompt] = useState("")
  const [label, setLabel] = useState<SavedPrompt["label"]>("unsafe")
  return (
    <form
      className="card"
      aria-label="New saved prompt"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd({ prompt, label })
        setPrompt("")
      }}
    >
      <label className="field">
        Prompt
        <textarea value={prompt} rows={4} required dir="auto" onChange={({ target }) => setPrompt(target.value)} />
      </label>
      <SelectField
        label="It has to be"
        choices={[
          ["unsafe", "blocked"],
          ["safe", "let through"],
        ]}
        value={label}
        onChange={setLabel}
      />
      <button type="submit">Save the prompt</button>
    </form>
  )
}

/** Returns whether an outcome is the one that a prompt has to have. Undefined: nothing was decided. */
function isExpected({ label }: SavedPrompt, outcome: Outcome | undefined): boolean | undefined {
  if (outcome === undefined || "error" in outcome) return undefined
  return (outcome.status === "blocked") === (label === "unsafe")
}

interface OutcomesProps {
  readonly prompts: readonly SavedPrompt[]
  readonly outcomes: ReadonlyMap<number, Outcome>
}

function Summary({ prompts, outcomes }: OutcomesProps): ReactElement | null {
  if (outcomes.size === 0) return null
  const right = prompts.filter((prompt, index) => isExpected(prompt, outcomes.get(index)) === true).length
  const wrong = prompts.filter((prompt, index) => isExpected(prompt, outcomes.get(index)) === false).length
  const tone = wrong > 0 ? "FAIL" : right === prompts.length ? "PASS" : "PLAIN"
  return (
    <p role="status">
      <Badge text={`${right} of ${formatCount(prompts.length, "prompt")} as expected`} tone={tone} />
    </p>
  )
}

interface PromptTableProps extends OutcomesProps {
  readonly isRunning: boolean
  readonly onRemove: ((index: number) => void) | undefined
}

function PromptTable({ prompts, outcomes, isRunning, onRemove }: PromptTableProps): ReactElement {
  return (
    <div className="card">
      <table aria-label="Saved prompts">
        <thead>
          <tr>
            <th scope="col">Prompt</th>
            <th scope="col">Has to be</th>
            <th scope="col">Was</th>
            {onRemove === undefined ? null : (
              <th scope="col">
                <span className="unseen">Remove</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {prompts.map((prompt, index) => (
            // oxlint-disable-next-line no-array-index-key -- the position of a prompt identifies it in its file
            <tr key={index}>
              <td className="saved-prompt" dir="auto">
                {prompt.prompt}
              </td>
              <td>{prompt.label === "unsafe" ? "blocked" : "let through"}</td>
              <td>
                <OutcomeShown prompt={prompt} outcome={outcomes.get(index)} isRunning={isRunning} />
              </td>
              {onRemove === undefined ? null : (
                <td>
                  <button
                    type="button"
                    className="quiet"
                    aria-label={`Remove prompt ${index + 1}`}
                    disabled={isRunning}
                    onClick={() => onRemove(index)}
                  >
                    Remove
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface OutcomeShownProps {
  readonly prompt: SavedPrompt
  readonly outcome: Outcome | undefined
  readonly isRunning: boolean
}

function OutcomeShown({ prompt, outcome, isRunning }: OutcomeShownProps): ReactElement {
  if (outcome === undefined) return <span className="soft">{isRunning ? "…" : "–"}</span>
  if ("error" in outcome) return <span dir="auto">{outcome.error}</span>
  const words = outcome.status === "blocked" ? "blocked" : "let through"
  return <Badge text={words} tone={isExpected(prompt, outcome) === true ? "PASS" : "FAIL"} />
}
