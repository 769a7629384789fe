import { useQuery } from "@tanstack/react-query"
import { useCallback, useEffect, useState } from "react"
import { formatDocument } from "../../../documents/document-text.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import type { EvaluationContent } from "@assay/schemas"
import { differences, formOfContent } from "./form-of-content.ts"
import { contentOfForm, FIRST_FORM, type LaunchForm } from "./launch-form.ts"
import type { LaunchDocument } from "./read-launch-text.ts"

export type LaunchView = "form" | "yaml"

/** The document that is launched, as a form or as YAML. */
export interface WrittenLaunch {
  readonly view: LaunchView
  readonly form: LaunchForm
  /** Undefined until it was written for the first time. */
  readonly text: string | undefined
  /** Undefined while the text is read, and if it cannot be read. */
  readonly document: LaunchDocument | undefined
  /** Why the text cannot be read. */
  readonly fault: Error | undefined
  /** The locations of the file for which the form has no fields. Empty unless the form was asked for. */
  readonly others: readonly string[]
  readonly setForm: (form: LaunchForm) => void
  readonly setText: (text: string) => void
  /** Changes to a view. Stays with YAML if the form cannot show the file. */
  readonly show: (view: LaunchView) => Promise<void>
  /** Replaces everything, as the form if it can show it. */
  readonly open: (content: EvaluationContent) => Promise<void>
}

/** Keeps a launch that is written as a form or as YAML. The address says which. */
export function useLaunchDocument(): WrittenLaunch {
  const [as, setAs] = useSearchValue("as")
  const view = as === "yaml" ? "yaml" : "form"
  const [form, setForm] = useState<LaunchForm>(FIRST_FORM)
  const [text, setText] = useState<string>()
  const [others, setOthers] = useState<readonly string[]>([])
  const read = useQuery({
    queryKey: ["launch", "yaml", text],
    // The parser of YAML is loaded when it is first used.
    queryFn: async () => (await import("./read-launch-text.ts")).readLaunchText(text ?? ""),
    enabled: view === "yaml" && text !== undefined,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const document = view === "form" ? documentOfForm(form) : read.data
  useEffect(() => {
    if (view !== "yaml" || text !== undefined) return
    void formatDocument(contentOfForm(form), "yaml").then((first) => setText((written) => written ?? first))
  }, [view, form, text])
  const show = async (next: LaunchView) => {
    setOthers([])
    if (next === "yaml") {
      // A text that says the same may have comments.
      const left = differences(read.data?.content, contentOfForm(form))
      if (left.length > 0) setText(await formatDocument(contentOfForm(form), "yaml"))
      return setAs("yaml")
    }
    if (document === undefined) return
    const reading = formOfContent(document.content)
    if (reading.others.length > 0) return setOthers(reading.others)
    setForm(reading.form)
    setAs(undefined)
  }
  const open = useCallback(
    async (content: EvaluationContent) => {
      const reading = formOfContent(content)
      setText(await formatDocument(content, "yaml"))
      setOthers(reading.others)
      if (reading.others.length === 0) setForm(reading.form)
      else setAs("yaml")
    },
    [setAs],
  )
  const change = (next: string) => {
    setOthers([])
    setText(next)
  }
  const fault = view === "yaml" ? (read.error ?? undefined) : undefined
  return { view, form, text, document, fault, others, setForm, setText: change, show, open }
}

function documentOfForm(form: LaunchForm): LaunchDocument {
  const content = contentOfForm(form)
  return { content, body: content, lineOf: () => undefined }
}
