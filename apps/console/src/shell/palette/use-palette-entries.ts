import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useClient } from "../../api/use-client.ts"
import { nameOfJob, nameOfTarget } from "../../pages/evaluation/jobs/job-names.ts"
import { HOME, PAGE_GROUPS } from "../pages.ts"
import { findEntries, type PaletteEntry } from "./found-entries.ts"

/** Records of each kind that are read. */
const MAX_READ = 50
/** Workspaces whose guardrails are found: each is a request. */
const MAX_WORKSPACES = 20
const FRESH_MS = 60_000

/** Returns the pages, filesets, models, jobs, guardrails and parts of the documentation that a text finds. */
export function usePaletteEntries(text: string, hidden: readonly string[]): readonly PaletteEntry[] {
  const client = useClient()
  const part = text.trim()
  const { data: records = [] } = useQuery({
    queryKey: ["palette", part],
    queryFn: async ({ signal }): Promise<readonly PaletteEntry[]> => {
      const named = part === "" ? {} : { filter: `name~${JSON.stringify(part)}` }
      const described = part === "" ? {} : { search: { description: part } }
      const [filesets, models, jobs, byId] = await Promise.all([
        client.filesets.page("-", { page_size: MAX_READ, sort: "-created_at", ...named }, { signal }),
        client.models.page("-", { page_size: MAX_READ, sort: "-created_at", ...named }, { signal }),
        client.evaluation.jobs.page({ page_size: MAX_READ, sort: "-created_at", ...described }, { signal }),
        part.startsWith("eval-") ? client.evaluation.jobs.page({ search: { id: part } }, { signal }) : undefined,
      ])
      return [
        ...[...jobs.data, ...(byId?.data ?? [])].map((job) => ({
          kind: "job",
          label: nameOfJob(job),
          hint: `${nameOfTarget(job)} · ${job.namespace} · ${job.id}`,
          to: `/jobs/${encodeURIComponent(job.id)}`,
        })),
        ...models.data.map((model) => namedEntry("model", "models", model)),
        ...filesets.data.map((fileset) => namedEntry("fileset", "filesets", fileset)),
      ]
    },
    placeholderData: keepPreviousData,
  })
  const { data: guardrails = [] } = useQuery({
    queryKey: ["guardrails", "palette"],
    queryFn: async ({ signal }) => {
      const { data } = await client.workspaces.page({ page_size: MAX_WORKSPACES }, { signal })
      const pages = await Promise.all(data.map(({ name }) => client.guardrails.page(name, {}, { signal })))
      return pages.flatMap((page) => page.data.map((one) => namedEntry("guardrail", "guardrails", one)))
    },
    staleTime: FRESH_MS,
  })
  const { data: help = [] } = useQuery({
    queryKey: ["part", "help"],
    queryFn: async ({ signal }) => helpEntries(await (await fetch("/help/pages.json", { signal })).json()),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  // Without a text, the pages of the console come first.
  return findEntries([...pageEntries(hidden), ...records, ...guardrails, ...(part === "" ? [] : help)], text)
}

interface NamedRecord {
  readonly workspace: string
  readonly name: string
}

/** Returns the entry of a record whose page is below the page `at`. */
function namedEntry(kind: string, at: string, { workspace, name }: NamedRecord): PaletteEntry {
  const to = `/${at}/${encodeURIComponent(workspace)}/${encodeURIComponent(name)}`
  return { kind, label: name, hint: workspace, to }
}

interface HelpEntry {
  readonly title: string
  readonly address: string
  /** A heading of the page; empty for the page itself. */
  readonly part: string
}

function helpEntries(entries: readonly HelpEntry[]): readonly PaletteEntry[] {
  return entries.map(({ title, address, part }) => ({
    kind: "help",
    label: part === "" ? title : part,
    hint: part === "" ? "" : title,
    to: address,
  }))
}

function pageEntries(hidden: readonly string[]): readonly PaletteEntry[] {
  const groups = [{ title: "", entries: [HOME] }, ...PAGE_GROUPS]
  return groups.flatMap(({ title, entries }) =>
    entries.filter(({ to }) => !hidden.includes(to)).map(({ to, label }) => ({ kind: "page", label, hint: title, to })),
  )
}
