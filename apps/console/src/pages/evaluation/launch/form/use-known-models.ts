import { isObject } from "@assay/json"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { useClient } from "../../../../api/use-client.ts"
import type { FileModel } from "./models-of.ts"

/** A model that was named on this server before. */
export interface KnownModel extends FileModel {
  /** Where it is known from. */
  readonly source: string
}

const STORED = 200
const NEWEST_JOBS = 50
const FRESH_MS = 60_000

/** Returns the models of stored targets, and those of the newest jobs. */
export function useKnownModels(): readonly KnownModel[] {
  const { evaluation } = useClient()
  const stored = useQuery({
    queryKey: ["targets", "models"],
    queryFn: async ({ signal }) => {
      const { data } = await evaluation.targets.page({ page_size: STORED }, { signal })
      return data.flatMap((target) => modelOf(target, target.namespace ?? "default", `target ${target.name ?? ""}`))
    },
    staleTime: FRESH_MS,
  })
  const used = useQuery({
    queryKey: ["jobs", "models"],
    queryFn: async ({ signal }) => {
      const { data } = await evaluation.jobs.page({ page_size: NEWEST_JOBS }, { signal })
      return data.flatMap(({ target, namespace }) => modelOf(target, namespace, "an earlier job"))
    },
    staleTime: FRESH_MS,
  })
  return useMemo(() => {
    const found = [...(stored.data ?? []), ...(used.data ?? [])]
    const byKey = new Map<string, KnownModel>()
    for (const model of found) {
      const key = JSON.stringify([model.url, model.name, model.secret])
      if (!byKey.has(key)) byKey.set(key, model)
    }
    return [...byKey.values()]
  }, [stored.data, used.data])
}

function modelOf(target: unknown, workspace: string, source: string): readonly KnownModel[] {
  const model = isObject(target) ? target["model"] : undefined
  const endpoint = isObject(model) ? model["api_endpoint"] : undefined
  if (!isObject(endpoint)) return []
  const { url, model_id: name, api_key_secret: secret } = endpoint
  if (typeof url !== "string" || typeof name !== "string" || url === "" || name === "") return []
  const isNamed = typeof secret === "string" && secret !== ""
  return [{ url, name, secret: isNamed ? (secret.includes("/") ? secret : `${workspace}/${secret}`) : undefined, source }]
}
