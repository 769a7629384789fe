import { type GuardrailConfiguration, GuardrailData } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState, type ReactElement } from "react"
import { keepDraft, readDraft, removeDraft } from "../../../api/drafts.ts"
import { useClient } from "../../../api/use-client.ts"
import { ChoiceButtons } from "../../../components/choice-buttons.tsx"
import { CopyButton } from "../../../components/copy-button.tsx"
import { CodeEditor } from "../../../components/code-editor/code-editor.tsx"
import type { Complete } from "../../../components/code-editor/use-completions.ts"
import { completeYaml } from "../../../components/code-editor/yaml/complete-yaml.ts"
import type { SchemaPart } from "../../../components/code-editor/yaml/schema-at.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useSettled } from "../../../components/use-settled.ts"
import { useNotify } from "../../../components/notices.tsx"
import { useAuthor } from "../../../api/use-session.ts"
import { configurationFaults } from "./configuration-faults.ts"
import { draftOfConfiguration } from "./configuration-draft.ts"
import { formatDocument, parseDocument, type DocumentFormat } from "../../../documents/document-text.ts"

/** Milliseconds without a key after which the text is checked. */
const SETTLED_MS = 400
const complete: Complete = (text, offset) => completeYaml(text, offset, GuardrailData as SchemaPart)
const FORMATS = { yaml: "YAML", json: "JSON" } as const

export interface ConfigurationEditorProps {
  readonly configuration: GuardrailConfiguration
  readonly isReadOnly: boolean
}

/** Edits a configuration as YAML or JSON. The server checks it before it is stored, and names each location that is wrong. */
export function ConfigurationEditor({ configuration, isReadOnly }: ConfigurationEditorProps): ReactElement {
  const { text, change, format, changeFormat, fault, isCurrent, draftAt, undo, save } =
    useConfigurationText(configuration)
  const settled = useSettled(text, SETTLED_MS)
  const faults = useMemo(() => (settled === undefined ? [] : configurationFaults(settled)), [settled])
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
      <CodeEditor
        label={`Configuration as ${format.toUpperCase()}`}
        text={text}
        isReadOnly={isReadOnly}
        onChange={change}
        faults={isReadOnly ? [] : faults}
        {...(format === "yaml" && !isReadOnly ? { complete } : {})}
      />
      {draftAt === undefined ? null : (
        <p className="soft" role="status">
          Your changes of <Time at={new Date(draftAt).toISOString()} /> are not saved yet. The saved prompts can be
          tried with them.
        </p>
      )}
      {faults.length === 0 || isReadOnly ? null : (
        <p className="fault-list FAIL" role="alert">
          {faults.map(({ line, text: words }) => `Line ${line}: ${words}`).join(" ")}
        </p>
      )}
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
  const by = useAuthor()
  const draft = draftOfConfiguration(configuration)
  const [draftAt, setDraftAt] = useState<number>()
  const change = (next: string) => {
    const at = Date.now()
    setText(next)
    setDraftAt(at)
    keepDraft(draft, { text: next, at, by })
  }
  const show = async ({ data: shown, updated_at }: GuardrailConfiguration, as: DocumentFormat) => {
    setVersion(updated_at)
    setDraftAt(undefined)
    removeDraft(draft)
    setText(await formatDocument(shown, as))
  }
  useEffect(() => {
    const kept = readDraft(draft, by)
    if (kept !== undefined) {
      setText(kept.text)
      setDraftAt(kept.at)
      if (kept.text.trimStart().startsWith("{")) setFormat("json")
      return
    }
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
  return {
    text,
    change,
    draftAt,
    format,
    changeFormat,
    fault,
    isCurrent,
    undo: () => show(configuration, format),
    save,
  }
}

/** Says that a configuration was saved, and which of its parts have no effect. */
function savedText({ warnings = [] }: GuardrailConfiguration): string {
  const found = warnings.map(({ loc, msg }) => `${loc.slice(2).join(".")} ${msg}`)
  return found.length === 0 ? "Saved." : `Saved. Without effect: ${found.join("; ")}`
}
