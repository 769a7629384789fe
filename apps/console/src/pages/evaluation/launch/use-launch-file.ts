import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import { keepDraft, readDraft, removeDraft } from "../../../api/drafts.ts"
import { useClient } from "../../../api/use-client.ts"
import { useAuthor } from "../../../api/use-session.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { useSettled } from "../../../components/use-settled.ts"
import { nameOfJob } from "../jobs/job-names.ts"
import type { FileChange } from "./file/edit-file.ts"
import type { LaunchFile } from "./file/read-launch-file.ts"
import { type FileTools, useFileTools } from "./use-file-tools.ts"

/** The evaluation file that is written. */
export interface WrittenFile {
  readonly text: string
  /** The meaning of the text now. */
  readonly file: LaunchFile
  /** The value of the file; while its text is not YAML, the last one that it had. */
  readonly value: unknown
  /** Its meaning before the last keys: its faults and its plan do not change with each of them. */
  readonly settled: LaunchFile
  /** The job whose file this is. Undefined: none. */
  readonly from: string | undefined
  /** The name of that job. Undefined until it was read. */
  readonly fromName: string | undefined
  /** Why that job can't be read. */
  readonly error: Error | null
  readonly isLoading: boolean
  /** The functions that read and change the file. Undefined while they are loaded: the form can't be used yet. */
  readonly tools: FileTools | undefined
  /** When the draft was written that is shown, in milliseconds. Undefined: it is none. */
  readonly draftAt: number | undefined
  readonly setText: (text: string) => void
  /** Writes values of the form into the text. */
  readonly edit: (changes: readonly FileChange[]) => void
  /** Replaces the draft by the file that the page began with. */
  readonly startOver: () => void
  /** Called when the file was launched. */
  readonly forget: () => void
}

/** The meaning of a text that can't be read yet. */
const UNREAD: LaunchFile = { value: {}, jobs: [], faults: [], lineOf: () => undefined }

/** Milliseconds without a key after which a text is read for its faults and its plan. */
const SETTLED_MS = 400

/**
 * Keeps an evaluation file: a draft if there is one, else that of the job or of the dataset in the address, else an empty one.
 * @param page whose drafts these are
 */
export function useLaunchFile(page: "launch" | "prompt"): WrittenFile {
  const by = useAuthor()
  const tools = useFileTools()
  const [from] = useSearchValue("from")
  const [data] = useSearchValue("data")
  const [draft = from ?? data ?? "new"] = useSearchValue("draft")
  const name = `${page}.${draft}`
  const kept = useMemo(() => readDraft(name, by), [name, by])
  const first = useFirstText({ from, data }, tools)
  const [written, setWritten] = useState<string>()
  const [isFresh, setFresh] = useState(false)
  const shownDraft = written === undefined && !isFresh ? kept : undefined
  const text = written ?? shownDraft?.text ?? first.text ?? ""
  const file = useMemo(() => tools?.readLaunchFile(text) ?? UNREAD, [text, tools])
  const [readable, setReadable] = useState<unknown>({})
  if (file.value !== undefined && readable !== file.value) setReadable(file.value)
  const settled = useSettled(file, SETTLED_MS)
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  }, [text])
  const setText = (next: string) => {
    latest.current = next
    setWritten(next)
    keepDraft(name, { text: next, at: Date.now(), by })
  }
  return {
    text,
    file,
    value: file.value ?? readable,
    settled,
    from,
    fromName: first.name,
    error: first.error,
    // A text that is being written stays on the page.
    isLoading:
      (first.text === undefined && first.error === null) ||
      (tools === undefined && text !== "" && written === undefined),
    tools,
    draftAt: shownDraft?.text === first.text ? undefined : shownDraft?.at,
    setText,
    // Several fields can change before the next rendering.
    edit: (changes) => {
      if (tools !== undefined) setText(tools.editFile(latest.current, changes))
    },
    startOver: () => {
      removeDraft(name)
      setFresh(true)
      setWritten(undefined)
    },
    forget: () => removeDraft(name),
  }
}

/** Returns the text that the page begins with: the file of a job, one for a dataset, or an empty one. */
function useFirstText(
  { from, data }: Readonly<Record<"from" | "data", string | undefined>>,
  tools: FileTools | undefined,
) {
  const client = useClient()
  const job = useQuery({
    queryKey: ["jobs", from],
    queryFn: ({ signal }) => client.evaluation.jobs.get(from ?? "", { signal }),
    enabled: from !== undefined,
    staleTime: Infinity,
  })
  const isEmpty = from === undefined && data === undefined
  const first = useQuery({
    queryKey: ["launch", "first", from ?? data ?? ""],
    queryFn: async () => {
      if (tools === undefined || isEmpty) return ""
      return job.data === undefined ? tools.editFile("", [{ path: ["data"], value: data }]) : tools.fileOfJob(job.data)
    },
    enabled: isEmpty || (tools !== undefined && (from === undefined || job.data !== undefined)),
    staleTime: Infinity,
  })
  return { text: first.data, name: job.data === undefined ? undefined : nameOfJob(job.data), error: job.error }
}
