import { type GuardrailConfiguration, GuardrailData } from "@assay/schemas"
import { useMemo, type ReactElement } from "react"
import { ChoiceButtons } from "../../../components/choice-buttons.tsx"
import { CopyButton } from "../../../components/copy-button.tsx"
import { CodeEditor } from "../../../components/code-editor/code-editor.tsx"
import type { Complete } from "../../../components/code-editor/use-completions.ts"
import { completeYaml } from "../../../components/code-editor/yaml/complete-yaml.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useSettled } from "../../../components/use-settled.ts"
import { configurationFaults } from "./configuration-faults.ts"
import { useConfigurationText } from "./use-configuration-text.ts"

/** Milliseconds without a key after which the text is checked. */
const SETTLED_MS = 400
const complete: Complete = (text, offset) => completeYaml(text, offset, GuardrailData)
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
