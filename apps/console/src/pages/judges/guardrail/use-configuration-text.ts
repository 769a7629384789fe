import type { GuardrailConfiguration, GuardrailData } from "@assay/schemas"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { keepDraft, readDraft, removeDraft } from "../../../api/drafts.ts"
import { useClient } from "../../../api/use-client.ts"
import { useAuthor } from "../../../api/use-session.ts"
import { useNotify } from "../../../components/notices.tsx"
import { type DocumentFormat, formatDocument, parseDocument } from "../../../documents/document-text.ts"
import { draftOfConfiguration } from "./configuration-draft.ts"

/** Returns the text of a configuration as it is edited, and what can be done with it. The text is undefined until it was formatted. */
export function useConfigurationText(configuration: GuardrailConfiguration) {
  const [format, setFormat] = useState<DocumentFormat>("yaml")
  const [text, setText] = useState<string>()
  const [fault, setFault] = useState<unknown>()
  /** The version that the text began with. */
  const [version, setVersion] = useState(configuration.updated_at)
  const draft = useDraft(draftOfConfiguration(configuration))
  const show = async ({ data: shown, updated_at }: GuardrailConfiguration, as: DocumentFormat) => {
    setVersion(updated_at)
    draft.remove()
    setText(await formatDocument(shown, as))
  }
  useEffect(() => {
    const kept = draft.read()
    if (kept === undefined) {
      // A change by somebody else must not replace what is being written here.
      void show(configuration, "yaml")
      return
    }
    setText(kept)
    if (kept.trimStart().startsWith("{")) setFormat("json")
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
  const save = useSave(configuration, async () => (await parseDocument(text ?? "", format)) as GuardrailData, {
    onMutate: () => setFault(undefined),
    onError: setFault,
    onSuccess: (saved: GuardrailConfiguration) => show(saved, format),
  })
  const change = (next: string) => {
    setText(next)
    draft.keep(next)
  }
  return {
    text,
    change,
    draftAt: draft.at,
    format,
    changeFormat,
    fault,
    isCurrent: version === configuration.updated_at,
    undo: () => show(configuration, format),
    save,
  }
}

interface SaveSteps {
  readonly onMutate: () => void
  readonly onError: (error: unknown) => void
  readonly onSuccess: (saved: GuardrailConfiguration) => Promise<void>
}

/** Stores what `read` returns, and says which parts of it have no effect. */
function useSave(
  { workspace, name }: GuardrailConfiguration,
  read: () => Promise<GuardrailData>,
  { onMutate, onError, onSuccess }: SaveSteps,
) {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  return useMutation({
    mutationFn: async () => client.guardrails.update(workspace, name, { data: await read() }),
    onMutate,
    onError,
    onSuccess: async (saved) => {
      notify(savedText(saved))
      queries.setQueryData(["guardrails", "one", workspace, name], saved)
      await onSuccess(saved)
    },
  })
}

/** Keeps the text of a draft. */
function useDraft(name: string) {
  const by = useAuthor()
  /** When it was changed. Undefined: there is none. */
  const [at, setAt] = useState<number>()
  return {
    at,
    read: () => {
      const kept = readDraft(name, by)
      setAt(kept?.at)
      return kept?.text
    },
    keep: (text: string) => {
      const now = Date.now()
      setAt(now)
      keepDraft(name, { text, at: now, by })
    },
    remove: () => {
      setAt(undefined)
      removeDraft(name)
    },
  }
}

/** Says that a configuration was saved, and which of its parts have no effect. */
function savedText({ warnings = [] }: GuardrailConfiguration): string {
  const found = warnings.map(({ loc, msg }) => `${loc.slice(2).join(".")} ${msg}`)
  return found.length === 0 ? "Saved." : `Saved. Without effect: ${found.join("; ")}`
}
