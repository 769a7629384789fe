import type { GuardrailConfiguration, GuardrailData } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ChoiceButtons } from "../../../components/choice-buttons.tsx"
import { CopyButton } from "../../../components/copy-button.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { useNotify } from "../../../components/notices.tsx"
import { formatDocument, parseDocument, type DocumentFormat } from "../../../documents/document-text.ts"

const FORMATS = { yaml: "YAML", json: "JSON" } as const

export interface ConfigurationEditorProps {
  readonly configuration: GuardrailConfiguration
  readonly isReadOnly: boolean
}

/** Edits a configuration as YAML or JSON. The server checks it before it is stored, and names each location that is wrong. */
export function ConfigurationEditor({ configuration, isReadOnly }: ConfigurationEditorProps): ReactElement {
  const { text, setText, format, changeFormat, fault, isCurrent, undo, save } = useConfigurationText(configuration)
  if (text === undefined) return <Loading />
  return (
    <form
      className="configuration"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <ChoiceButtons label="Format" choices={FORMATS} chosen={format} onChoose={(next) => void changeFormat(next)}>
        <CopyButton text={text} what="the configuration" />
        {isReadOnly ? (
          <span className="soft">You cannot change this one. Copy it into a guardrail of your own.</span>
        ) : null}
      </ChoiceButtons>
      <textarea
        className="mono"
        aria-label={`Configuration as ${format.toUpperCase()}`}
        value={text}
        rows={Math.min(40, Math.max(14, text.split("\n").length + 1))}
        readOnly={isReadOnly}
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
      />
      {isCurrent ? null : (
        <p className="soft" role="status">
          Somebody changed the configuration meanwhile. Saving replaces their version; undoing all changes shows it.
        </p>
      )}
      {fault === undefined ? null : <ErrorCard error={fault} />}
      {isReadOnly ? null : (
        <p className="actions">
          <button type="submit" className="primary" disabled={save.isPending}>
            Save
          </button>
          <button type="button" onClick={() => void undo()}>
            Undo all changes
          </button>
        </p>
      )}
    </form>
  )
}

/** Returns the text of a configuration as it is edited, and what can be done with it. The text is undefined until it was formatted. */
function useConfigurationText(configuration: GuardrailConfiguration) {
  const { workspace, name } = configuration
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [format, setFormat] = useState<DocumentFormat>("yaml")
  const [text, setText] = useState<string>()
  const [fault, setFault] = useState<unknown>()
  /** The version that the text began with. */
  const [version, setVersion] = useState(configuration.updated_at)
  const show = async ({ data: shown, updated_at }: GuardrailConfiguration, as: DocumentFormat) => {
    setVersion(updated_at)
    setText(await formatDocument(shown, as))
  }
  useEffect(() => {
    // A change by somebody else must not replace what is being written here.
    void show(configuration, "yaml")
    // oxlint-disable-next-line react/exhaustive-deps -- only the first configuration is shown by itself
  }, [])
  const changeFormat = async (next: DocumentFormat) => {
    setFault(undefined)
    try {
      setText(await formatDocument(await parseDocument(text ?? "", format), next))
      setFormat(next)
    } catch (error) {
      setFault(error)
    }
  }
  const save = useMutation({
    mutationFn: async () => {
      const parsed = (await parseDocument(text ?? "", format)) as GuardrailData
      return client.guardrails.update(workspace, name, { data: parsed })
    },
    onMutate: () => setFault(undefined),
    onError: setFault,
    onSuccess: async (saved) => {
      notify(savedText(saved))
      queries.setQueryData(["guardrails", "one", workspace, name], saved)
      await show(saved, format)
    },
  })
  const isCurrent = version === configuration.updated_at
  return { text, setText, format, changeFormat, fault, isCurrent, undo: () => show(configuration, format), save }
}

/** Says that a configuration was saved, and which of its parts have no effect. */
function savedText({ warnings = [] }: GuardrailConfiguration): string {
  const found = warnings.map(({ loc, msg }) => `${loc.slice(2).join(".")} ${msg}`)
  return found.length === 0 ? "Saved." : `Saved. Without effect: ${found.join("; ")}`
}
