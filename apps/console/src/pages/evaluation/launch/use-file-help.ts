import { useQuery } from "@tanstack/react-query"
import { isObject } from "@assay/json"
import { useMemo } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import type { Complete } from "../../../components/code-editor/use-completions.ts"
import type { FileSchema, KnownNames } from "./file/completion/complete-file.ts"
import { schemasAt } from "../../../components/code-editor/yaml/schema-at.ts"
import { useDataset } from "./form/use-dataset.ts"
import { useKnownModels } from "./form/use-known-models.ts"
import type { FileTools } from "./use-file-tools.ts"

const NAMES = 200
const FRESH_MS = 60_000

/** Returns what helps to write a file: the names that this server has, the rows of its dataset, and completions. @param given the value of the file */
export function useFileHelp(given: unknown, tools: FileTools | undefined) {
  const value = isObject(given) ? given : {}
  const workspace = typeof value["namespace"] === "string" ? value["namespace"] : "default"
  const dataset = useDataset(value["data"], workspace)
  const models = useKnownModels()
  const listed = useNames(workspace)
  const schema = useMemo(() => (tools?.evaluationFileSchema() ?? {}) as FileSchema, [tools])
  const names: KnownNames = {
    ...listed,
    models: [...new Set(models.map(({ url, name }) => `${url}#${name}`))],
    datasets: [...new Set([...dataset.files, ...listed.datasets])],
    columns: dataset.columns,
    checks: checkNames(value["checks"]),
  }
  const complete: Complete = (text, offset) => tools?.completeFile(text, offset, schema, names)
  const checkSchema = schemasAt(schema.else ?? {}, ["checks", "-"]).find(({ properties }) => properties !== undefined)
  return { dataset, names, complete, checkSchema, workspace }
}

/** Returns the datasets, workspaces and secrets that the user sees. */
function useNames(workspace: string): Pick<KnownNames, "datasets" | "workspaces" | "secrets"> {
  const client = useClient()
  const { mayAdmin } = useRights()
  const options = { retry: false, staleTime: FRESH_MS }
  const datasets = useQuery({
    queryKey: ["filesets", "datasets", "names"],
    queryFn: async ({ signal }) =>
      (await client.filesets.page("-", { filter: 'purpose:"dataset"', page_size: 100 }, { signal })).data,
    ...options,
  })
  const workspaces = useQuery({
    queryKey: ["workspaces", "names", NAMES],
    queryFn: async ({ signal }) => (await client.workspaces.page({ page_size: NAMES }, { signal })).data,
    ...options,
  })
  const secrets = useQuery({
    queryKey: ["secrets", workspace, "names"],
    queryFn: async ({ signal }) => (await client.secrets.page(workspace, { page_size: NAMES }, { signal })).data,
    ...options,
    enabled: mayAdmin(workspace),
  })
  return {
    datasets: (datasets.data ?? []).map((fileset) => `${fileset.workspace}/${fileset.name}`),
    workspaces: (workspaces.data ?? []).map(({ name }) => name),
    secrets: (secrets.data ?? []).map(({ name }) => `${workspace}/${name}`),
  }
}

/** Returns the names of the checks of a file, as far as it has them. */
function checkNames(checks: unknown): readonly string[] {
  if (!Array.isArray(checks)) return []
  return checks.flatMap((check: unknown) => {
    if (typeof check === "string") return [/^\w+/u.exec(check)?.[0] ?? check]
    if (!isObject(check)) return []
    const { name, as: other = name } = check
    const key = Object.keys(check).find((one) => !/^(?:name|as|labels)$/u.test(one))
    return typeof other === "string" ? [other] : key === undefined ? [] : [key]
  })
}
